/** A member of a clean archive: its name lies below the folder in which it is unpacked. */
export interface Out {
  path: string
  type: 'file' | 'folder' | 'symlink' | 'hardlink'
  target?: string
  size: number
  mode: number
  mtime: number
}

const BLOCK = 512
const flags = { file: '0', hardlink: '1', symlink: '2', folder: '5' }
export const END = Buffer.alloc(2 * BLOCK)
export const paddingOf = (size: number) => Buffer.alloc((BLOCK - (size % BLOCK)) % BLOCK)

/** The header of a member. Long names and names beyond ASCII come in an extended header. */
export function headerOf(out: Out): Buffer {
  const { path, target = '', size } = out
  const isPlain = (text: string) => text.length <= 100 && /^[ -~]*$/.test(text)
  const long = size > 0o77777777777
  if (isPlain(path) && isPlain(target) && !long) return block({ ...out, flag: flags[out.type] })
  const records = Buffer.concat([
    record('path', path),
    ...(target ? [record('linkpath', target)] : []),
    ...(long ? [record('size', `${size}`)] : []),
  ])
  const extended = block({ path: 'name', size: records.length, mode: 0o644, mtime: 0, flag: 'x' })
  const own = { ...out, path: 'name', target: target && 'name', size: long ? 0 : size }
  return Buffer.concat([extended, records, paddingOf(records.length), block({ ...own, flag: flags[out.type] })])
}

function record(key: string, value: string): Buffer {
  const rest = Buffer.from(` ${key}=${value}\n`)
  let length = rest.length + 1
  while (`${length}`.length + rest.length !== length) length = `${length}`.length + rest.length
  return Buffer.concat([Buffer.from(`${length}`), rest])
}

function block({ path, target = '', size, mode, mtime, flag }: Omit<Out, 'type'> & { flag: string }): Buffer {
  const head = Buffer.alloc(BLOCK)
  const octal = (value: number, length: number) => value.toString(8).padStart(length - 1, '0')
  head.write(path, 0, 100, 'latin1')
  head.write(octal(mode, 8), 100, 'latin1')
  head.write(octal(0, 8), 108, 'latin1')
  head.write(octal(0, 8), 116, 'latin1')
  head.write(octal(size, 12), 124, 'latin1')
  head.write(octal(mtime, 12), 136, 'latin1')
  head.fill(0x20, 148, 156)
  head.write(flag, 156, 'latin1')
  head.write(target, 157, 100, 'latin1')
  head.write('ustar\x0000', 257, 'latin1')
  let sum = 0
  for (let i = 0; i < BLOCK; i++) sum += head[i] ?? 0
  head.write(`${octal(sum, 7)}\0 `, 148, 'latin1')
  return head
}
