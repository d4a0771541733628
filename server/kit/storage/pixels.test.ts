import { describe, expect, it } from 'vitest'
import { pixelsOf } from './pixels.ts'

const hex = (text: string) => Buffer.from(text.replaceAll(' ', ''), 'hex')
const u16 = (n: number) => n.toString(16).padStart(4, '0')
const u32 = (n: number) => n.toString(16).padStart(8, '0')
const segment = (marker: string, bytes: number) => `ff${marker}${u16(bytes + 2)}${'00'.repeat(bytes)}`

const png = (width: number, height: number) =>
  hex(`89504e470d0a1a0a 0000000d 49484452 ${u32(width)}${u32(height)} 0806000000`)
const jpeg = (width: number, height: number, before = '', frame = 'c0') =>
  hex(`ffd8 ${before} ff${frame} 0011 08 ${u16(height)}${u16(width)} 03`)
const webp = (chunk: string) =>
  Buffer.concat([Buffer.from('RIFF\x20\0\0\0WEBP', 'latin1'), Buffer.from(chunk, 'latin1')])

describe('the size of a picture, by its header', () => {
  it.each([
    ['PNG', 'image/png', png(640, 480)],
    ['JPEG', 'image/jpeg', jpeg(640, 480)],
    ['a progressive JPEG', 'image/jpeg', jpeg(640, 480, '', 'c2')],
    [
      'a JPEG with a thumbnail, tables and padding in front',
      'image/jpeg',
      jpeg(640, 480, `${segment('e1', 40_000)}${segment('c4', 30)}ffff${segment('db', 65)}`),
    ],
    ['lossy WebP', 'image/webp', webp('VP8 \x10\0\0\0\0\0\0\x9d\x01\x2a\x80\x02\xe0\x01')],
    ['lossless WebP', 'image/webp', webp('VP8L\x10\0\0\0\x2f\x7f\xc2\x77\0')],
    ['extended WebP', 'image/webp', webp('VP8X\x0a\0\0\0\x10\0\0\0\x7f\x02\0\xdf\x01\0')],
  ])('%s', (_, type, head) => {
    expect(pixelsOf(head, type)).toEqual({ width: 640, height: 480 })
  })

  it('is read from the header, even if the file is very small', () => {
    expect(pixelsOf(png(4_294_967_295, 1), 'image/png')).toEqual({ width: 4_294_967_295, height: 1 })
    expect(pixelsOf(jpeg(65_535, 65_535), 'image/jpeg')).toEqual({ width: 65_535, height: 65_535 })
    expect(pixelsOf(webp('VP8X\x0a\0\0\0\0\0\0\0\xff\xff\xff\xff\xff\xff'), 'image/webp')).toEqual({
      width: 16_777_216,
      height: 16_777_216,
    })
  })

  it('is unknown if the bytes end too early, at every length', () => {
    for (const [type, whole] of [
      ['image/png', png(1, 1).subarray(0, 24)],
      ['image/jpeg', jpeg(1, 1, segment('e0', 14)).subarray(0, -1)],
      ['image/webp', webp('VP8X\x0a\0\0\0\x10\0\0\0\x7f\x02\0\xdf\x01\0')],
    ] as const) {
      expect(pixelsOf(whole, type)).toBeDefined()
      for (let end = 0; end < whole.length; end++) expect(pixelsOf(whole.subarray(0, end), type)).toBeUndefined()
    }
  })

  it('is unknown for other types and for data that only begins like a picture', () => {
    expect(pixelsOf(hex(`89504e470d0a1a0a 0000000d 74455874 ${u32(1)}${u32(1)}`), 'image/png')).toBeUndefined()
    expect(pixelsOf(hex('ffd8 00 ffc0 0011 08 0001 0001'), 'image/jpeg')).toBeUndefined()
    expect(pixelsOf(webp('ALPH\x0a\0\0\0\x10\0\0\0\x7f\x02\0\xdf\x01\0'), 'image/webp')).toBeUndefined()
    expect(pixelsOf(Buffer.from('GIF89a\x01\0\x01\0'), 'image/gif')).toBeUndefined()
  })
})
