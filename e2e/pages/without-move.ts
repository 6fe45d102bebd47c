/** Makes this worker one of a browser whose private files cannot be moved. */
Reflect.deleteProperty(FileSystemFileHandle.prototype, 'move')
