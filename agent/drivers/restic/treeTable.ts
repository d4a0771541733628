/** Where a folder is in the repository. `whole`: its size, if it is compressed. */
interface Place {
  pack: string
  offset: number
  length: number
  whole: number
}
export interface Table {
  find(id: string): Place | undefined
  /** The table as bytes, see `placesOf`. */
  packed: Buffer
}

const [ID, ROW] = [32, 48]
const [BLOBS, TREE] = ['"blobs":[', '"type":"tree"']

interface Blob {
  id: string
  type: string
  offset: number
  length: number
  uncompressed_length?: number
}

/**
 * The folders in an index file of restic, or with `packed` in the bytes of a table: number of packs, ids of the packs, and
 * ordered by id a row for each folder with id, number of the pack, offset, length and uncompressed length.
 */
export function placesOf(from: Buffer, packed: boolean): Table {
  const table = packed ? from : packedOf(from)
  const start = 4 + table.readUInt32BE(0) * ID
  const count = (table.length - start) / ROW
  const find = (id: string): Place | undefined => {
    const wanted = Buffer.from(id, 'hex')
    let [low, high] = [0, count - 1]
    while (low <= high) {
      const middle = (low + high) >> 1
      const at = start + middle * ROW
      const order = wanted.compare(table, at, at + ID)
      if (order < 0) high = middle - 1
      else if (order > 0) low = middle + 1
      else {
        const pack = 4 + table.readUInt32BE(at + ID) * ID
        return {
          pack: table.toString('hex', pack, pack + ID),
          offset: table.readUInt32BE(at + ID + 4),
          length: table.readUInt32BE(at + ID + 8),
          whole: table.readUInt32BE(at + ID + 12),
        }
      }
    }
    return undefined
  }
  return { find, packed: table }
}

/** Reads only packs with folders: most of the index is about the content of files. */
function packedOf(index: Buffer): Buffer {
  const [packs, found] = [[] as Buffer[], [] as Buffer[]]
  for (let at = index.indexOf(TREE); at >= 0; ) {
    const start = index.lastIndexOf(BLOBS, at)
    const end = index.indexOf(']', start)
    const pack = /^"([0-9a-f]{64})",$/.exec(index.toString('latin1', start - 67, start))?.[1]
    if (start < 0 || end < at || !pack) throw new Error('this index of restic has an unknown form')
    packs.push(Buffer.from(pack, 'hex'))
    for (const blob of JSON.parse(index.toString('latin1', start + BLOBS.length - 1, end + 1)) as Blob[])
      if (blob.type === 'tree') found.push(rowOf(blob, packs.length - 1))
    at = index.indexOf(TREE, end)
  }
  const size = Buffer.alloc(4)
  size.writeUInt32BE(packs.length)
  found.sort((a, b) => a.compare(b, 0, ID, 0, ID))
  return Buffer.concat([size, ...packs, ...found])
}

function rowOf({ id, offset, length, uncompressed_length: whole = 0 }: Blob, pack: number): Buffer {
  const row = Buffer.alloc(ROW)
  row.write(id, 0, 'hex')
  for (const [n, value] of [pack, offset, length, whole].entries()) row.writeUInt32BE(value, ID + 4 * n)
  return row
}
