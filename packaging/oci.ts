import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, cpSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { unpackBase } from './base.ts'
import { settle } from './settle.ts'

interface Image {
  /** The tree of the Debian package. */
  tree: string
  arch: 'amd64' | 'arm64'
  version: string
  epoch: number
  /** Folder for what is fetched and made. */
  work: string
  /** The archive that is written. */
  file: string
  pin: boolean
}

/** The user of the image. Orchestrators want a number to see that it is not root. */
const USER = 10_001
/** What the image has of the package: the program, and what an operator reads. */
const parts = ['usr/lib/innkeeper', 'usr/share/innkeeper', 'usr/share/doc/innkeeper']

/**
 * Makes an OCI image layout as one tar of the same tree: a layer of what Node needs of Debian, and a layer of the program. There
 * is nothing else in it. Two builds are byte for byte equal.
 */
export function buildImage({ tree, arch, version, epoch, work, file, pin }: Image): void {
  const layout = join(work, `oci-${arch}`)
  const layers = join(work, `layers-${arch}`)
  for (const folder of [layout, layers]) rmSync(folder, { recursive: true, force: true })
  mkdirSync(join(layout, 'blobs/sha256'), { recursive: true })
  const keep = (bytes: Buffer | string) => {
    const digest = createHash('sha256').update(bytes).digest('hex')
    writeFileSync(join(layout, 'blobs/sha256', digest), bytes)
    return { digest: `sha256:${digest}`, size: Buffer.byteLength(bytes) }
  }
  const json = (value: unknown) => keep(JSON.stringify(value))

  const base = join(layers, 'base')
  unpackBase(arch, work, base, pin)
  accounts(base)
  const program = join(layers, 'program')
  for (const part of parts) cpSync(join(tree, part), join(program, part), { recursive: true, verbatimSymlinks: true })
  for (const folder of [base, program]) settle(folder, epoch)
  const data = join(layers, 'data')
  for (const folder of ['var/lib/innkeeper', 'tmp']) mkdirSync(join(data, folder), { recursive: true })
  chmodSync(join(data, 'tmp'), 0o1777)
  chmodSync(join(data, 'var/lib/innkeeper'), 0o700)

  const made = (
    [
      ['base', '0:0'],
      ['program', '0:0'],
      ['data', `${USER}:${USER}`],
    ] as const
  ).map(([name, owner]) => {
    const plain = packed(join(layers, name), epoch, owner)
    const blob = keep(gzipSync(plain, { level: 9 }))
    return {
      diff: `sha256:${createHash('sha256').update(plain).digest('hex')}`,
      layer: { mediaType: 'application/vnd.oci.image.layer.v1.tar+gzip', ...blob },
    }
  })
  const created = new Date(epoch * 1000).toISOString()
  const annotations = {
    'org.opencontainers.image.title': 'innkeeper',
    'org.opencontainers.image.version': version,
    'org.opencontainers.image.created': created,
    'org.opencontainers.image.licenses': 'Apache-2.0',
  }
  const config = json({
    created,
    architecture: arch,
    os: 'linux',
    config: {
      User: `${USER}:${USER}`,
      Env: [
        'PATH=/usr/lib/innkeeper:/bin',
        'NODE_ENV=production',
        'MALLOC_ARENA_MAX=1',
        'MALLOC_TRIM_THRESHOLD_=131072',
        'HOME=/var/lib/innkeeper',
        'INNKEEPER_DATA=/var/lib/innkeeper',
        'INNKEEPER_DRAIN_SECONDS=3',
        'INNKEEPER_STOP_SECONDS=80',
        'INNKEEPER_WORKER_PORT=4404',
      ],
      Entrypoint: ['/usr/lib/innkeeper/node', '--max-semi-space-size=8', '--heap-growing-percent=30'],
      Cmd: ['/usr/lib/innkeeper/server/main.js'],
      WorkingDir: '/var/lib/innkeeper',
      Volumes: { '/var/lib/innkeeper': {} },
      ExposedPorts: { '4400/tcp': {}, '4443/tcp': {} },
      StopSignal: 'SIGTERM',
      Labels: annotations,
    },
    rootfs: { type: 'layers', diff_ids: made.map(({ diff }) => diff) },
    history: ['libraries of Debian 12', `innkeeper ${version}`, 'data'].map((comment) => ({ created, comment })),
  })
  const manifest = json({
    schemaVersion: 2,
    mediaType: 'application/vnd.oci.image.manifest.v1+json',
    config: { mediaType: 'application/vnd.oci.image.config.v1+json', ...config },
    layers: made.map(({ layer }) => layer),
    annotations,
  })
  const index = {
    schemaVersion: 2,
    mediaType: 'application/vnd.oci.image.index.v1+json',
    manifests: [
      {
        mediaType: 'application/vnd.oci.image.manifest.v1+json',
        ...manifest,
        platform: { architecture: arch, os: 'linux' },
        annotations: { 'org.opencontainers.image.ref.name': version },
      },
    ],
  }
  writeFileSync(join(layout, 'index.json'), JSON.stringify(index))
  writeFileSync(join(layout, 'oci-layout'), JSON.stringify({ imageLayoutVersion: '1.0.0' }))
  settle(layout, epoch)
  writeFileSync(`${file}.new`, packed(layout, epoch, '0:0'))
  renameSync(`${file}.new`, file)
  for (const folder of [layout, layers]) rmSync(folder, { recursive: true })
}

/** Names for the numbers, and where names of hosts are found. */
function accounts(base: string): void {
  const etc = join(base, 'etc')
  mkdirSync(etc, { recursive: true })
  for (const [name, text] of Object.entries({
    passwd: `root:x:0:0:root:/:/nonexistent\ninnkeeper:x:${USER}:${USER}:Innkeeper:/var/lib/innkeeper:/nonexistent\n`,
    group: `root:x:0:\ninnkeeper:x:${USER}:\n`,
    'nsswitch.conf': 'passwd: files\ngroup: files\nhosts: files dns\n',
  }))
    writeFileSync(join(etc, name), text, { mode: 0o644 })
}

/** A tar that depends on nothing but names, modes and contents. */
function packed(folder: string, epoch: number, owner: string): Buffer {
  const [user, group] = owner.split(':')
  const { status, stdout, stderr } = spawnSync(
    'tar',
    [
      ...['--create', '--sort=name', '--format=gnu', `--mtime=@${epoch}`, '--numeric-owner'],
      ...[`--owner=${user}`, `--group=${group}`, '--directory', folder, '.'],
    ],
    { maxBuffer: 2 ** 31 - 1 },
  )
  if (status !== 0) throw new Error(`tar ended with ${status}: ${stderr}`)
  return stdout
}
