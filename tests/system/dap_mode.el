;;; dap_mode.el --- a session of dap-mode without a screen -*- lexical-binding: t; -*-

;; Emacs runs this in batch (editor.py). The arguments behind it are a shader, the command, a picture, and what is loaded for
;; dap-mode. It does what somebody would do in the editor, and prints where the shader stops. Holds no check.

;;; Code:

(setq load-prefer-newer t
      lsp-session-file (expand-file-name "lsp-session" (getenv "HOME"))
      dap-breakpoints-file (expand-file-name "breakpoints" (getenv "HOME"))
      dap-auto-show-output nil
      dap-inhibit-io t)

(defvar scheelite-test-stops 0 "How many times it has stopped.")

(defun scheelite-test-wait (done)
  "Wait until DONE gives non-nil, at most a minute."
  (let ((end (+ (float-time) 60)))
    (while (not (funcall done))
      (when (> (float-time) end) (error "Nothing happens"))
      (accept-process-output nil 0.05))))

(defun scheelite-test-value (expression)
  "What EXPRESSION is, in the frame that is shown."
  (let ((session (dap--cur-session)))
    (gethash "result" (dap-request session "evaluate" :expression expression :context "hover"
                                   :frameId (gethash "id" (dap--debug-session-active-frame session))))))

(defun scheelite-test-act (name act)
  "Do ACT, wait for the next stop, and print NAME, the line, and a register."
  (let ((before scheelite-test-stops))
    (funcall act)
    (scheelite-test-wait (lambda () (> scheelite-test-stops before)))
    (princ (format "%s: line %d, TEMP[0] %s\n" name (line-number-at-pos) (scheelite-test-value "TEMP[0]")))))

(let ((shader (pop command-line-args-left))
      (command (pop command-line-args-left))
      (picture (pop command-line-args-left))
      (snippet (pop command-line-args-left)))
  (load snippet nil t)
  (dap-mode 1)
  (setq scheelite-command command)
  (find-file shader)
  ;; The frame is known behind the stop: then the editor has gone to its line.
  (add-hook 'dap-stack-frame-changed-hook (lambda (_session) (setq scheelite-test-stops (1+ scheelite-test-stops))))
  (goto-char (point-min))
  (forward-line 10)
  (dap-breakpoint-add)
  (scheelite-test-act "begin" (lambda ()
                                (dap-debug (list :type "scheelite" :request "launch" :name "A pixel" :program "${file}" :pixel [100 37]
                                                 :textures (vector (concat "0=" picture ",filter=linear")) :stopOnEntry t))))
  (scheelite-test-act "run" (lambda () (dap-continue (dap--cur-session) (dap--debug-session-thread-id (dap--cur-session)))))
  (scheelite-test-act "step" (lambda () (dap-next (dap--cur-session))))
  (scheelite-test-act "back" #'scheelite-step-back)
  (scheelite-test-act "run back" #'scheelite-run-back)
  (let ((session (dap--cur-session)))
    (dap-disconnect session)
    (scheelite-test-wait (lambda () (not (process-live-p (dap--debug-session-proc session)))))
    (princ (format "exit %d\n" (process-exit-status (dap--debug-session-proc session))))))
;;; dap_mode.el ends here
