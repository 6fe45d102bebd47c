// Hands the port on to the page, which has no other way to the main process.
const { ipcRenderer } = require('electron')

ipcRenderer.on('memory', (event) => window.postMessage('memory', '*', event.ports))
