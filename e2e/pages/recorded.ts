/** Something that is painted and heard for a while. */
export interface Scene {
  readonly colour: string
  readonly shape: 'square' | 'circle'
  readonly ground: string
  /** Milliseconds. */
  readonly lasts: number
  /** Hertz; silent without. */
  readonly tone?: number
}

const [WIDTH, HEIGHT, FRAMES_A_SECOND] = [320, 240, 20]

/** A real file with the sound of tones, recorded of a canvas. */
export async function recorded(scenes: readonly Scene[], format: 'webm' | 'mp4' = 'webm'): Promise<Blob> {
  const canvas = Object.assign(document.createElement('canvas'), { width: WIDTH, height: HEIGHT })
  const context = canvas.getContext('2d')!
  const paint = ({ colour, shape, ground }: Scene) => {
    context.fillStyle = ground
    context.fillRect(0, 0, WIDTH, HEIGHT)
    context.fillStyle = colour
    context.beginPath()
    if (shape === 'square') context.rect(100, 60, 120, 120)
    else context.arc(160, 120, 70, 0, 2 * Math.PI)
    context.fill()
  }
  paint(scenes[0]) // before the canvas is captured, so that no frame is blank
  const stream = canvas.captureStream(FRAMES_A_SECOND)
  const hears = scenes.some(({ tone }) => tone !== undefined)
  const sounds = hears ? new AudioContext() : undefined
  const oscillator = sounds && new OscillatorNode(sounds)
  const loudness = sounds && new GainNode(sounds, { gain: 0 })
  if (sounds !== undefined) {
    const out = sounds.createMediaStreamDestination()
    oscillator!.connect(loudness!).connect(out)
    oscillator!.start()
    stream.addTrack(out.stream.getAudioTracks()[0])
  }
  const codecs = `${format === 'webm' ? 'vp8' : 'vp9'}${hears ? ',opus' : ''}`
  const recorder = new MediaRecorder(stream, { mimeType: `video/${format};codecs=${codecs}` })
  const parts: Blob[] = []
  recorder.ondataavailable = ({ data }) => parts.push(data)
  const stopped = new Promise((resolve) => (recorder.onstop = resolve))
  recorder.start()
  for (const scene of scenes) {
    loudness?.gain.setValueAtTime(scene.tone === undefined ? 0 : 0.5, 0)
    oscillator?.frequency.setValueAtTime(scene.tone ?? 440, 0)
    const painting = setInterval(() => paint(scene), 1_000 / FRAMES_A_SECOND)
    await new Promise((resolve) => setTimeout(resolve, scene.lasts))
    clearInterval(painting)
  }
  recorder.stop()
  await stopped
  for (const track of stream.getTracks()) track.stop()
  await sounds?.close()
  return new Blob(parts, { type: `video/${format}` })
}
