import { crc32, deflateSync } from 'node:zlib'
import { eq } from 'drizzle-orm'
import type { Db } from '../../kit/db/db.ts'
import { storeBlob } from '../../kit/storage/blobs.ts'
import { typeOf } from '../../kit/storage/fileType.ts'
import type { Storage } from '../../kit/storage/storage.ts'
import { dice } from '../../seed/dice.ts'
import * as tables from '../../tables.ts'
import { kindOf } from './add.ts'

const DAY = 86_400_000
const FILES = 240

/** Folders, their visibility, and the documents in them: each comes in an edition of every month. */
const places: { name: string; private?: boolean; below?: string; documents: string[] }[] = [
  { name: 'Handbook', documents: ['House rules.pdf', 'First day.pdf', 'On call.txt', 'Escalation paths.png'] },
  { name: 'Data centres', documents: ['Rack plan OSL.png', 'Rack plan HEL.png', 'Access list.csv', 'Fire drill.pdf'] },
  { name: 'Logos', documents: ['Fjellhost blue.png', 'Fjellhost white.png', 'Badge.png', 'Brand kit.zip'] },
  {
    name: 'Contracts',
    private: true,
    documents: ['Frame agreement.pdf', 'Data processing agreement.pdf', 'Addendum.pdf'],
  },
  { name: 'Suppliers', private: true, below: 'Contracts', documents: ['Offer.pdf', 'Order.pdf', 'Delivery note.csv'] },
  { name: 'Incidents', private: true, documents: ['Post-mortem.pdf', 'Timeline.csv', 'Capture.zip', 'Graph.png'] },
  { name: 'Training', documents: ['Slides.pdf', 'Exercise.txt', 'Recording notes.txt'] },
]
/** Documents of no folder. */
const loose = ['Phone list.csv', 'Minutes of the week.txt', 'Menu of the canteen.pdf']
const ends = ['pdf', 'png', 'txt', 'csv', 'zip'] as const

/** Adds files with contents: private and public folders, grants, and files in the trash. */
export async function seedFiles(db: Db, storage: Storage, say: (line: string) => void): Promise<void> {
  const d = dice(4480)
  const now = Date.parse('2026-11-21T09:00:00Z')
  const staff = await db.select().from(tables.users).where(eq(tables.users.isAdmin, false)).limit(12)
  const roles = await db.select().from(tables.roles)
  const ids = new Map<string, number>()
  const editions = new Map<string, number>()
  for (const { name, below, private: hidden = false } of places) {
    const values = {
      name,
      parentId: below ? ids.get(below) : undefined,
      private: hidden,
      hidden,
      ownerId: staff[0]!.id,
    }
    const [folder] = await db.insert(tables.folders).values(values).returning()
    ids.set(name, folder!.id)
  }
  for (let n = 0; n < FILES; n++) {
    const place = n % 12 === 0 ? undefined : d.pick(places)
    const document = d.pick(place?.documents ?? loose)
    const edition = editions.get(`${place?.name} ${document}`) ?? 0
    editions.set(`${place?.name} ${document}`, edition + 1)
    const [base = '', ending = ''] = document.split('.')
    const end = ends.find((one) => one === ending) ?? 'txt'
    const of = new Date(Date.UTC(2026, 9 - edition, 28, 9, d.below(60)))
    const name = `${base} ${of.toISOString().slice(0, 7)}.${end}`
    const bytes = contents[end](name, n)
    const owner = d.pick(staff)
    const blob = await storeBlob({ db, storage }, { name, type: typeOf(bytes) }, chunk(bytes))
    await db.update(tables.blobs).set({ state: 'kept' }).where(eq(tables.blobs.key, blob.key))
    const at = new Date(of.getTime() + d.below(6) * DAY).toISOString()
    const [file] = await db
      .insert(tables.files)
      .values({
        name,
        path: blob.key,
        size: blob.size,
        type: blob.type,
        kind: kindOf(blob.type),
        sha256: blob.sha256,
        folderId: place && ids.get(place.name),
        ownerId: owner.id,
        isPrivate: d.chance(0.6),
        createdAt: at,
        updatedAt: at,
        deletedAt: d.chance(0.04) ? new Date(now - d.below(20 * DAY)).toISOString() : null,
      })
      .returning()
    if (d.chance(0.2))
      await db
        .insert(tables.fileAccess)
        .values({ fileId: file!.id, accessType: 'role', grantAccessTo: d.pick(roles).id, createdBy: owner.id })
  }
  say(`${FILES} files in ${places.length} folders`)
}

async function* chunk(bytes: Buffer) {
  yield bytes
}

/** Small contents that match the file names. */
const contents: Record<(typeof ends)[number], (name: string, n: number) => Buffer> = {
  txt: (name, n) =>
    Buffer.from(`${name}\n\n${'What was said and decided, in the order of the day.\n'.repeat(3 + (n % 40))}`),
  csv: (name, n) => Buffer.from(`when,what,${name}\n${'2026-11-21,unit moved,1\n'.repeat(5 + n)}`),
  zip: (_, n) => Buffer.concat([Buffer.from('PK\x03\x04'), Buffer.alloc(500 + n * 40, n)]),
  png: (_, n) => png(n),
  pdf: (name) =>
    Buffer.from(`%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 420 300]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>endobj
4 0 obj<</Length ${48 + name.length}>>stream
BT /F 18 Tf 40 240 Td (${name.replace(/[()\\]/g, '')}) Tj ET
endstream endobj
5 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj
trailer<</Root 1 0 R>>
%%EOF
`),
}

/** A picture of 240 × 160 with two colours and a diagonal edge. */
function png(n: number): Buffer {
  const [width, height] = [240, 160]
  const raw = Buffer.alloc(height * (1 + width * 3))
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const at = y * (1 + width * 3) + 1 + x * 3
      const [r, g, b] = x + y * (1 + (n % 3)) < 200 ? [0, 113, 118] : [226, 232, 233]
      raw.set([r!, g!, b!], at)
    }
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set([8, 2, 0, 0, 0], 8)
  const parts = [piece('IHDR', head), piece('IDAT', deflateSync(raw)), piece('IEND', Buffer.alloc(0))]
  return Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), ...parts])
}

function piece(kind: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(kind, 'latin1'), data])
  const [size, check] = [Buffer.alloc(4), Buffer.alloc(4)]
  size.writeUInt32BE(data.length)
  check.writeUInt32BE(crc32(body))
  return Buffer.concat([size, body, check])
}
