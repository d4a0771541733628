/** Width and height of a profile picture in pixels. */
const SIDE = 512

/** A square of a picture: its centre as fractions of width and height, and its zoom (1: the largest square). */
export interface Square {
  x: number
  y: number
  zoom: number
}

/** The square in pixels, moved inside the picture. */
export function squareOf({ width, height }: { width: number; height: number }, { x, y, zoom }: Square) {
  const side = Math.min(width, height) / Math.max(1, zoom)
  const within = (middle: number, most: number) => Math.min(Math.max(middle - side / 2, 0), most - side)
  return { left: within(x * width, width), top: within(y * height, height), side }
}

/** Draws the square onto a canvas of any size. */
export function draw(canvas: HTMLCanvasElement, picture: ImageBitmap, square: Square): void {
  const { left, top, side } = squareOf(picture, square)
  const context = canvas.getContext('2d')
  if (!context) throw new Error('This browser draws no pictures')
  context.imageSmoothingQuality = 'high'
  context.clearRect(0, 0, canvas.width, canvas.height)
  context.drawImage(picture, left, top, side, side, 0, 0, canvas.width, canvas.height)
}

/** The square as 512 × 512 WebP, or PNG if the browser cannot encode WebP. */
export async function crop(picture: ImageBitmap, square: Square): Promise<Blob> {
  const canvas = document.createElement('canvas')
  canvas.width = SIDE
  canvas.height = SIDE
  draw(canvas, picture, square)
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/webp', 0.9))
  if (!blob) throw new Error('This browser could not write the picture')
  return blob
}
