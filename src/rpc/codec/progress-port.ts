import { unfailing } from '../../api/function-options.js'
import type { OnOpenProgress, OpenProgress } from '../../api/open-progress.js'

/** The page's side: its function stays where it is and is told through the port. */
export function sendProgress(onProgress: OnOpenProgress): MessagePort {
  const { port1, port2 } = new MessageChannel()
  const tell = unfailing(onProgress)
  port1.onmessage = ({ data }: MessageEvent<OpenProgress>) => tell(data)
  return port2
}

/** The engine's side: tells the function of the page. */
export function receiveProgress(port: MessagePort): OnOpenProgress {
  return (progress) => port.postMessage(progress)
}
