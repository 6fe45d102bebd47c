import '../../workers/engine.js'

/** The engine worker, which does nothing for so many milliseconds when it is told to sleep. */
new BroadcastChannel('sleep').onmessage = ({ data }: MessageEvent<number>) => {
  for (const until = performance.now() + data; performance.now() < until; );
}
