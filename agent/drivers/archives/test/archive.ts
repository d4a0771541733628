import { crc32, deflateRawSync, gzipSync } from 'node:zlib'

/** Writes tar archives byte by byte, also such as no program writes. Shares nothing with the reader. */
export interface Entry {
  name: string | Buffer
  body?: string | Buffer
  flag?: string
  link?: string
  mode?: number
  /** Instead of the length of the body. */
  size?: number
  spoilSum?: boolean
}

export function tar(entries: readonly Entry[], { end = true } = {}): Buffer {
  const parts: Buffer[] = []
  for (const { name, body = '', flag = '0', link = '', mode = 0o644, size, spoilSum } of entries) {
    const content = Buffer.from(body)
    const raw = Buffer.from(name)
    const put = (bytes: Buffer, type: string, data: Buffer, length = data.length) => {
      const head = Buffer.alloc(512)
      bytes.copy(head, 0, 0, 100)
      head.write(`${mode.toString(8).padStart(7, '0')}\0`, 100)
      head.write('0001750\0', 108)
      head.write('0001750\0', 116)
      head.write(`${length.toString(8).padStart(11, '0')}\0`, 124)
      head.write('14700000000\0', 136)
      head.write(type, 156)
      head.write(link.slice(0, 100), 157)
      head.write('ustar  \0', 257)
      head.write('        ', 148)
      let sum = 0
      for (const byte of head) sum += byte
      head.write(`${(sum + (spoilSum ? 1 : 0)).toString(8).padStart(6, '0')}\0 `, 148)
      parts.push(head, data, Buffer.alloc((512 - (data.length % 512)) % 512))
    }
    if (raw.length > 100) put(Buffer.from('././@LongLink'), 'L', Buffer.concat([raw, Buffer.alloc(1)]))
    put(raw, flag, content, size)
  }
  if (end) parts.push(Buffer.alloc(1024))
  return Buffer.concat(parts)
}

/** A header of pax in front of the next member. */
export function pax(values: Record<string, string>): Entry {
  const lines = Object.entries(values).map(([key, value]) => {
    const rest = ` ${key}=${value}\n`
    let length = Buffer.byteLength(rest) + 2
    if (`${length}`.length > 2) length++
    return `${length}${rest}`
  })
  return { name: 'pax', flag: 'x', body: lines.join('') }
}

interface Site {
  domain: string
  files: readonly Entry[]
  conf?: string
}
/** An archive of HestiaCP as `v-backup-user` writes it. */
export function hestia({
  user = 'alice',
  sites = [] as readonly Site[],
  more = [] as readonly Entry[],
  plain = [] as readonly Entry[],
} = {}): Buffer {
  return tar([
    { name: './', flag: '5' },
    ...plain,
    { name: './hestia/', flag: '5' },
    { name: './hestia/user.conf', body: `NAME='${user}' PACKAGE='default' CONTACT='a@b.example' SUSPENDED='no'\n` },
    { name: './pam/shadow', body: `${user}:$6$abcdefgh$${'x'.repeat(86)}:19000:0:99999:7:::\n` },
    ...sites.flatMap(({ domain, files, conf = '' }) => [
      { name: `./web/${domain}/`, flag: '5' },
      {
        name: `./web/${domain}/hestia/web.conf`,
        body: `DOMAIN='${domain}' ALIAS='www.${domain}' BACKEND='PHP-8_2' SUSPENDED='no' ${conf}\n`,
      },
      { name: `./web/${domain}/domain_data.tar.gz`, body: gzipSync(tar(files)) },
    ]),
    ...more,
  ])
}

interface Zipped extends Entry {
  /** Bytes of the list that say something else than the member. */
  listed?: Partial<Record<'size' | 'packed' | 'at' | 'method' | 'flags', number>>
}

/** Writes zip archives byte by byte, also such as no program writes. */
export function zip(entries: readonly Zipped[], { end = true } = {}): Buffer {
  const [parts, list]: [Buffer[], Buffer[]] = [[], []]
  let at = 0
  for (const { name, body = '', flag = '0', link = '', mode = 0o644, listed = {} } of entries) {
    const content = Buffer.from(flag === '2' ? link : body)
    const [raw, packed] = [Buffer.from(name), deflateRawSync(content)]
    const head = Buffer.alloc(30)
    head.writeUInt32LE(0x04034b50, 0)
    head.writeUInt16LE(8, 8)
    head.writeUInt16LE(raw.length, 26)
    const entry = Buffer.alloc(46)
    entry.writeUInt32LE(0x02014b50, 0)
    entry.writeUInt16LE(0x0314, 4)
    entry.writeUInt16LE(listed.flags ?? 0, 8)
    entry.writeUInt16LE(listed.method ?? 8, 10)
    entry.writeUInt16LE(0x5a21, 14)
    entry.writeUInt32LE(crc32(content), 16)
    entry.writeUInt32LE(listed.packed ?? packed.length, 20)
    entry.writeUInt32LE(listed.size ?? content.length, 24)
    entry.writeUInt16LE(raw.length, 28)
    const kind = { '0': 0o100000, '2': 0o120000, '3': 0o020000, '5': 0o040000 }[flag] ?? 0
    entry.writeUInt16LE(kind | mode, 40)
    entry.writeUInt32LE(listed.at ?? at, 42)
    parts.push(head, raw, packed)
    list.push(entry, raw)
    at += 30 + raw.length + packed.length
  }
  const all = Buffer.concat(list)
  const last = Buffer.alloc(22)
  last.writeUInt32LE(0x06054b50, 0)
  last.writeUInt16LE(entries.length, 8)
  last.writeUInt16LE(entries.length, 10)
  last.writeUInt32LE(all.length, 12)
  last.writeUInt32LE(at, 16)
  return Buffer.concat([...parts, all, ...(end ? [last] : [])])
}

/** Writes an export of All-in-One WP Migration byte by byte, also such as the plugin does not write. */
export function wpress(entries: readonly Entry[], { end = true } = {}): Buffer {
  const parts: Buffer[] = []
  for (const { name, body = '', size } of entries) {
    const [content, path] = [Buffer.from(body), Buffer.from(name)]
    const cut = path.lastIndexOf(0x2f)
    const head = Buffer.alloc(4377)
    path.copy(head, 0, cut + 1, cut + 1 + 255)
    head.write(`${size ?? content.length}`, 255)
    head.write('1764400000', 269)
    if (cut < 0) head.write('.', 281)
    else path.copy(head, 281, 0, cut || 1)
    parts.push(head, content)
  }
  return Buffer.concat([...parts, ...(end ? [Buffer.alloc(4377)] : [])])
}
