import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { HEIGHT, SceneChange, WIDTH } from '../../../../src/models/video/scene-change.js'
import { runs } from '../../../runs.js'

type Colour = readonly [red: number, green: number, blue: number]

/** A picture by the colour at each point, both coordinates from 0 to 1. */
function picture(colourAt: (x: number, y: number) => Colour): Uint8ClampedArray {
  const pixels = new Uint8ClampedArray(4 * WIDTH * HEIGHT)
  for (let y = 0, at = 0; y < HEIGHT; y++)
    for (let x = 0; x < WIDTH; x++, at += 4) pixels.set([...colourAt(x / WIDTH, y / HEIGHT), 255], at)
  return pixels
}
const grey = (level: number): Colour => [level, level, level]
/** A room with a window, a table and somebody at some place. */
const room = (person = 0.5, light = 0, noise = 0) =>
  picture((x, y) => {
    const flicker = light + noise * Math.sin(x * 977 + y * 1_373 + noise)
    if (x > 0.1 && x < 0.35 && y > 0.1 && y < 0.45) return grey(210 + flicker)
    if (y > 0.7) return [120 + flicker, 80 + flicker, 50 + flicker]
    if (Math.abs(x - person) < 0.06 && y > 0.45) return [40 + flicker, 50 + flicker, 90 + flicker]
    return grey(140 + flicker)
  })
const street = picture((x, y) => (y < 0.4 ? [120, 170, 230] : x > 0.6 ? [150, 60, 50] : grey(90 + 60 * y)))

/** Which of the pictures begin another scene. */
const begun = (...pictures: Uint8ClampedArray[]) => {
  const scenes = new SceneChange()
  return pictures.map((one) => scenes.isOther(one))
}

describe('another scene begins', () => {
  test('with the first picture', () => {
    expect(begun(room())).toEqual([true])
  })

  test('where the camera is turned to another place, and back', () => {
    expect(begun(room(), street, street, room())).toEqual([true, true, false, true])
  })

  test('where a lens is covered, and uncovered', () => {
    const dark = picture(() => grey(6))
    expect(begun(room(), dark, dark, room())).toEqual([true, true, false, true])
  })

  test('where colours alone are others', () => {
    const red = picture(() => [200, 40, 40])
    const blue = picture(() => [40, 83, 250])
    expect(begun(red, red, blue)).toEqual([true, false, true])
  })

  test('some time where the scene changes so slowly that no two pictures differ', () => {
    const fading = Array.from({ length: 60 }, (_, i) => {
      const share = i / 59
      return room().map((value, at) => value * (1 - share) + street[at] * share)
    })
    expect(begun(...fading).filter((is) => is)).toHaveLength(2)
  })
})

describe('the scene is the same', () => {
  test.each([
    ['where nothing changes', [room()]],
    ['where the sensor is noisy', [3, 6, 9].map((noise) => room(0.5, 0, noise))],
    ['where somebody moves', [0.45, 0.55, 0.65, 0.75].map((at) => room(at))],
    ['where the exposure changes a little', [4, 8, 12].map((light) => room(0.5, light))],
    ['where the picture is shifted by a pixel', [room().map((_, i, all) => all[Math.max(0, i - 4)])]],
  ])('%s', (_, pictures) => {
    expect(begun(room(), ...pictures)).toEqual([true, ...pictures.map(() => false)])
  })
})

test('whatever a picture shows, the same picture again is no other scene', () => {
  const pixels = fc.uint8ClampedArray({ minLength: 4 * WIDTH * HEIGHT, maxLength: 4 * WIDTH * HEIGHT })
  fc.assert(
    fc.property(pixels, (one) => {
      expect(begun(one, one.slice())).toEqual([true, false])
    }),
    { numRuns: runs() },
  )
})
