import pixelmatch from 'pixelmatch'
import type { Browser, Page } from 'playwright-core'

/** Colours differ from here on (0 to 1): lossy pictures of equal screens stay below. */
const THRESHOLD = 0.12
/** Fewer pixels than these are no difference. */
const FEW = 8

export interface Difference {
  /** Share of the pixels, in percent; 100 where the sizes differ. */
  percent: number
  /** A PNG with the differing pixels in red. */
  picture?: Buffer
}

/** Shrinks and compares pictures in a page of the browser, which has the codecs. */
export class Darkroom {
  readonly #page: Page
  private constructor(page: Page) {
    this.#page = page
  }
  static open = async (browser: Browser): Promise<Darkroom> => new Darkroom(await browser.newPage())

  /** A WebP picture of a few kB. */
  async shrink(png: Buffer, scale: number): Promise<Buffer> {
    const made = await this.#page.evaluate(shrunk, { data: png.toString('base64'), scale })
    return Buffer.from(made, 'base64')
  }

  /** Undefined where the pictures show the same. */
  async compare(before: Buffer, after: Buffer): Promise<Difference | undefined> {
    if (before.equals(after)) return
    const [one, other] = [await this.#pixels(before), await this.#pixels(after)]
    const { width, height } = one
    if (width !== other.width || height !== other.height) return { percent: 100 }
    const marked = new Uint8Array(width * height * 4)
    const differing = pixelmatch(one.data, other.data, marked, width, height, { threshold: THRESHOLD })
    if (differing < FEW) return
    const data = Buffer.from(marked).toString('base64')
    const picture = Buffer.from(await this.#page.evaluate(drawn, { data, width, height }), 'base64')
    return { percent: (100 * differing) / (width * height), picture }
  }

  async #pixels(picture: Buffer) {
    const { data, width, height } = await this.#page.evaluate(pixelsOf, picture.toString('base64'))
    return { data: Buffer.from(data, 'base64'), width, height }
  }
}

// the functions below run in the page

async function shrunk({ data, scale }: { data: string; scale: number }): Promise<string> {
  const whole = await createImageBitmap(await (await fetch(`data:image/png;base64,${data}`)).blob())
  const canvas = document.createElement('canvas')
  canvas.width = Math.round(whole.width * scale)
  canvas.height = Math.round(whole.height * scale)
  const context = canvas.getContext('2d') as CanvasRenderingContext2D
  context.imageSmoothingQuality = 'high'
  context.drawImage(whole, 0, 0, canvas.width, canvas.height)
  return canvas.toDataURL('image/webp', 0.45).split(',')[1] ?? ''
}

async function pixelsOf(data: string): Promise<{ data: string; width: number; height: number }> {
  const image = await createImageBitmap(await (await fetch(`data:image/webp;base64,${data}`)).blob())
  const { width, height } = image
  const context = new OffscreenCanvas(width, height).getContext('2d') as OffscreenCanvasRenderingContext2D
  context.drawImage(image, 0, 0)
  const bytes = context.getImageData(0, 0, width, height).data
  let text = ''
  for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192))
  return { data: btoa(text), width, height }
}

function drawn({ data, width, height }: { data: string; width: number; height: number }): string {
  const canvas = document.createElement('canvas')
  canvas.width = width
  canvas.height = height
  const bytes = Uint8ClampedArray.from(atob(data), (sign) => sign.charCodeAt(0))
  const context = canvas.getContext('2d') as CanvasRenderingContext2D
  context.putImageData(new ImageData(bytes, width, height), 0, 0)
  return canvas.toDataURL('image/png').split(',')[1] ?? ''
}
