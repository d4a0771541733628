export interface Pixels {
  width: number
  height: number
}

/** Leading bytes that are searched for the size: photographs have a thumbnail and a colour profile before it. */
export const PIXELS_WITHIN = 256 * 1024

/**
 * Dimensions of a picture from its header, because a few bytes can unpack to a gigabyte. `undefined` if these bytes do
 * not contain the dimensions or are no PNG (§11.2.1), JPEG (ITU T.81 B.2.2) or WebP (RFC 9649).
 */
export function pixelsOf(head: Buffer, type: string): Pixels | undefined {
  try {
    return readers[type]?.(head)
  } catch (error) {
    if (error instanceof RangeError) return undefined // the bytes end before the dimensions
    throw error
  }
}

const readers: Record<string, (head: Buffer) => Pixels | undefined> = {
  'image/png': (head) =>
    name(head, 12) === 'IHDR' ? { width: head.readUInt32BE(16), height: head.readUInt32BE(20) } : undefined,
  'image/jpeg': jpeg,
  'image/webp': webp,
}

const name = (head: Buffer, at: number) => head.toString('latin1', at, at + 4)

/** Start-of-frame markers of all codings; the three excluded markers are tables. */
const isFrame = (marker: number) => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
/** Markers without a length: restarts and the reserved marker 01. */
const isBare = (marker: number) => marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8)

/** Walks the segments by their lengths up to the first frame. */
function jpeg(head: Buffer): Pixels | undefined {
  for (let at = 2; ; ) {
    if (head.readUInt8(at) !== 0xff) return undefined
    const marker = head.readUInt8(at + 1)
    if (isFrame(marker)) return { height: head.readUInt16BE(at + 5), width: head.readUInt16BE(at + 7) }
    if (marker === 0xff)
      at += 1 // padding
    else at += 2 + (isBare(marker) ? 0 : head.readUInt16BE(at + 2))
  }
}

function webp(head: Buffer): Pixels | undefined {
  switch (name(head, 12)) {
    case 'VP8 ': // 14 bits each; the upper two bits are the scaling
      return { width: head.readUInt16LE(26) & 0x3fff, height: head.readUInt16LE(28) & 0x3fff }
    case 'VP8L': {
      const packed = head.readUInt32LE(21)
      return { width: (packed & 0x3fff) + 1, height: ((packed >>> 14) & 0x3fff) + 1 }
    }
    case 'VP8X':
      return { width: head.readUIntLE(24, 3) + 1, height: head.readUIntLE(27, 3) + 1 }
    default:
      return undefined
  }
}
