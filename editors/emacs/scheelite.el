;;; scheelite.el --- debug shaders with dap-mode -*- lexical-binding: t; -*-

;; Starts `scheelite debug --dap' for dap-mode. Holds nothing of the protocol. What a template may say is in
;; docs/debugging.md of Scheelite. Tried with Emacs 28.2 and dap-mode 0.7 of Debian 12.

;;; Code:

(require 'dap-mode)
(require 'dap-ui) ; dap-mode asks it which exceptions are wanted

;; dap-ui reads this variable of treemacs, which treemacs of Debian 12 does not have yet.
(defvar treemacs-text-scale nil)

(defcustom scheelite-command "scheelite"
  "The command."
  :type 'string
  :group 'dap-mode)

(dap-register-debug-provider
 "scheelite"
 (lambda (template)
   (plist-put template :dap-server-path (list scheelite-command "debug" "--dap"))))

(dap-register-debug-template
 "Shader: a pixel"
 (list :type "scheelite" :request "launch" :name "A pixel" :program "${file}" :pixel [0 0] :stopOnEntry t))

(dap-register-debug-template
 "Shader: a line of a table"
 (list :type "scheelite" :request "launch" :name "A line of a table" :program "${file}" :vectors "values.tsv" :line 1
       :stopOnEntry t))

(dap-register-debug-template
 "Shader: a thread of a grid"
 (list :type "scheelite" :request "launch" :name "A thread" :program "${file}" :grid [1 1 1] :thread [0 0 0]
       :buffers ["0=zero:1024"] :stopOnEntry t))

;; dap-mode has no commands that go back.

(defun scheelite-step-back ()
  "Step back."
  (interactive)
  (dap--step "stepBack" (dap--cur-session-or-die)))

(defun scheelite-run-back ()
  "Run back to a breakpoint, or to the beginning."
  (interactive)
  (dap--step "reverseContinue" (dap--cur-session-or-die)))

(provide 'scheelite)
;;; scheelite.el ends here
