// Starts the command as the debug adapter of Visual Studio Code. Holds nothing of the protocol: `scheelite debug --dap` speaks it.
'use strict';
const vscode = require('vscode');

function createDebugAdapterDescriptor(session) {
    const command = vscode.workspace.getConfiguration('scheelite').get('path') || 'scheelite';
    const folder = session.workspaceFolder ? { cwd: session.workspaceFolder.uri.fsPath } : undefined;
    return new vscode.DebugAdapterExecutable(command, ['debug', '--dap'], folder);
}

// The editor is silent about a command that it cannot start.
function createDebugAdapterTracker() {
    return {
        onError(error) {
            if (error.code) vscode.window.showErrorMessage(`${error.message}: see the setting scheelite.path`);
        }
    };
}

exports.activate = (context) => {
    context.subscriptions.push(
        vscode.debug.registerDebugAdapterDescriptorFactory('scheelite', { createDebugAdapterDescriptor }),
        vscode.debug.registerDebugAdapterTrackerFactory('scheelite', { createDebugAdapterTracker }));
};
