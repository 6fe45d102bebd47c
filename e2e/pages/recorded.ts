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

type Format = 'webm' | 'mp4'

const [WIDTH, HEIGHT, FRAMES_A_SECOND] = [320, 240, 20]
/** A busy machine records with gaps. */
const ATTEMPTS = 8

/** A real file with the sound of tones, recorded of a canvas; recorded again where a busy machine lost pictures. */
export async function recorded(scenes: readonly Scene[], format: Format = 'webm'): Promise<Blob> {
  const faults: string[] = []
  while (faults.length < ATTEMPTS) {
    const file = await record(scenes, format)
    const fault = await faultOf(file, scenes)
    if (fault === undefined) return file
    faults.push(fault)
  }
  throw new Error(`no recording of ${ATTEMPTS} shows its scenes: ${faults.join('; ')}`)
}

async function record(scenes: readonly Scene[], format: Format): Promise<Blob> {
  const canvas = Object.assign(document.createElement('canvas'), { width: WIDTH, height: HEIGHT })
  const context = canvas.getContext('2d')!
  paint(context, scenes[0]) // before the canvas is captured, so that no frame is blank
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
    const painting = setInterval(() => paint(context, scene), 1_000 / FRAMES_A_SECOND)
    await new Promise((resolve) => setTimeout(resolve, scene.lasts))
    clearInterval(painting)
  }
  recorder.stop()
  await stopped
  for (const track of stream.getTracks()) track.stop()
  await sounds?.close()
  return new Blob(parts, { type: `video/${format}` })
}

function paint(context: CanvasRenderingContext2D, { colour, shape, ground }: Scene): void {
  context.fillStyle = ground
  context.fillRect(0, 0, WIDTH, HEIGHT)
  context.fillStyle = colour
  context.beginPath()
  if (shape === 'square') context.rect(100, 60, 120, 120)
  else context.arc(160, 120, 70, 0, 2 * Math.PI)
  context.fill()
}

/** Milliseconds between the pictures that are compared with their scenes: at all that the encoders of tests look at. */
const STEP_MS = 125
/** How far a recording may be longer or shorter than its scenes, and a scene may begin from its time. */
const TOLERANCE_MS = 250
/** Of a channel, 0 to 255, on the mean of a picture: what a codec changes. */
const LOSS = 2
/** Milliseconds of sound that are compared with their tone. */
const HEARD_MS = 50
/** The root mean square of a tone, which a gap of sound lowers. */
const LOUD = 0.3

/** What a recording lacks of its scenes; `undefined` if it shows and sounds them all, each in its time. */
async function faultOf(file: Blob, scenes: readonly Scene[]): Promise<string | undefined> {
  const isHeard = scenes.some(({ tone }) => tone !== undefined)
  return (await faultOfPictures(file, scenes)) ?? (isHeard ? await faultOfSound(file, scenes) : undefined)
}

async function faultOfSound(file: Blob, scenes: readonly Scene[]): Promise<string | undefined> {
  const sound = await new OfflineAudioContext(1, 1, 48_000).decodeAudioData(await file.arrayBuffer())
  const [all, perMs] = [sound.getChannelData(0), sound.sampleRate / 1_000]
  let begin = 0
  for (const { lasts, tone } of scenes) {
    for (let at = begin + TOLERANCE_MS; at < begin + lasts - TOLERANCE_MS; at += HEARD_MS) {
      const samples = all.subarray(at * perMs, (at + HEARD_MS) * perMs)
      const loudness = Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length)
      if (tone === undefined ? loudness > 0.01 : !(loudness >= LOUD))
        return `at ${at} ms its sound has a loudness of ${loudness}`
    }
    begin += lasts
  }
  return undefined
}

async function faultOfPictures(file: Blob, scenes: readonly Scene[]): Promise<string | undefined> {
  const video = Object.assign(document.createElement('video'), { muted: true, src: URL.createObjectURL(file) })
  const seek = async (seconds: number) => {
    video.currentTime = seconds
    await new Promise((resolve) => video.addEventListener('seeked', resolve, { once: true }))
  }
  await new Promise((resolve) => video.addEventListener('loadeddata', resolve, { once: true }))
  await seek(3_600) // a recorder writes no duration: at its end it is known
  const lasts = scenes.reduce((sum, scene) => sum + scene.lasts, 0)
  const lasted = 1_000 * video.duration
  if (Math.abs(lasted - lasts) > TOLERANCE_MS) return `it lasts ${Math.round(lasted)} ms, not ${lasts}`
  const expected = scenes.map((scene) => pixels((context) => paint(context, scene)))
  for (let at = 0; at < lasted; at += STEP_MS) {
    await seek(Math.max(at, 1) / 1_000) // a seek to where it is would end before its picture is there
    const shown = pixels((context) => context.drawImage(video, 0, 0))
    let end = 0
    const due = scenes.flatMap(({ lasts }, i) => {
      const begin = end
      end += lasts
      return at >= begin - TOLERANCE_MS && at <= end + TOLERANCE_MS ? [expected[i]] : []
    })
    const loss = Math.min(...due.map((picture) => difference(picture, shown)))
    if (loss > LOSS) return `at ${at} ms it differs by ${loss.toFixed(1)} a channel`
  }
  URL.revokeObjectURL(video.src)
  return undefined
}

function pixels(draw: (context: CanvasRenderingContext2D) => void): Uint8ClampedArray {
  const canvas = Object.assign(document.createElement('canvas'), { width: WIDTH, height: HEIGHT })
  const context = canvas.getContext('2d', { willReadFrequently: true })!
  draw(context)
  return context.getImageData(0, 0, WIDTH, HEIGHT).data
}

/** The mean difference of two pictures of one size. */
function difference(a: Uint8ClampedArray, b: Uint8ClampedArray): number {
  return a.reduce((sum, value, i) => sum + Math.abs(value - b[i]), 0) / a.length
}
