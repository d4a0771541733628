import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  globSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { gzipSync } from 'node:zlib'
import { changelogDay, changelogOf, copyright, scripts } from './debian.ts'
import { foreignPackages } from './foreign.ts'
import { buildImage } from './oci.ts'
import { billOfMaterials } from './sbom.ts'
import { settle } from './settle.ts'
import { stageProgram } from './stage.ts'
import { environmentExample, sysusers, tmpfiles, unitFiles } from './systemd.ts'

/**
 * Builds the Debian package and the OCI image of what `npm run build` made: `npm run package -- [--arch arm64]
 * [--version 0.2.0+1]`. `--pin` takes the present libraries of Debian for the image. For tests, `--plain` leaves the package
 * uncompressed and makes an image with `--image` only. Two builds
 * of the same sources are byte for byte equal: every time is the day of the release, every owner is root, every list is sorted.
 */
const repository = join(import.meta.dirname, '..')
const { values } = parseArgs({
  options: {
    arch: { type: 'string', default: 'amd64' },
    version: { type: 'string' },
    out: { type: 'string' },
    plain: { type: 'boolean' },
    image: { type: 'boolean' },
    pin: { type: 'boolean' },
  },
  strict: true,
})
const arch = values.arch
if (arch !== 'amd64' && arch !== 'arm64') throw new Error('--arch takes amd64 or arm64')
const { version: own } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8')) as { version: string }
const version = values.version ?? own
if (!/^\d[\w.+~]*$/.test(version)) throw new Error('--version takes a version of a Debian package, as 0.2.0+1')
const out = values.out ?? join(repository, 'dist')
const root = join(repository, 'data/package', arch)

const changelog = readFileSync(join(repository, 'CHANGELOG.md'), 'utf8')
const day = changelogDay(changelog)
const epoch = Date.parse(`${day}T00:00:00Z`) / 1000

rmSync(root, { recursive: true, force: true })
const modules = arch === 'arm64' ? foreignPackages(repository, join(repository, 'data/package/fetched')) : undefined
stageProgram(repository, join(root, 'usr/lib/innkeeper'), arch, modules)
const doc = 'usr/share/doc/innkeeper'
for (const [path, text] of Object.entries({
  'usr/bin/innkeeper': readFileSync(join(import.meta.dirname, 'innkeeper.sh'), 'utf8'),
  'usr/share/innkeeper/innkeeper.env': environmentExample,
  'usr/lib/sysusers.d/innkeeper.conf': sysusers,
  'usr/lib/tmpfiles.d/innkeeper.conf': tmpfiles,
  ...Object.fromEntries(Object.entries(unitFiles).map(([name, text]) => [`lib/systemd/system/${name}`, text])),
  ...texts('docs/operators', `${doc}/operators`),
  ...texts('packaging/monitoring', 'usr/share/innkeeper/monitoring'),
  [`${doc}/copyright`]: copyright,
  [`${doc}/sbom.cdx.json`]: billOfMaterials(repository, version, arch, epoch),
}))
  put(path, text)
put(`${doc}/changelog.gz`, gzipSync(changelogOf(changelog, version, epoch), { level: 9 }))
put(`${doc}/CHANGELOG.md.gz`, gzipSync(changelog, { level: 9 }))
put('usr/share/lintian/overrides/innkeeper', readFileSync(join(import.meta.dirname, 'lintian-overrides'), 'utf8'))
chmodSync(join(root, 'usr/bin/innkeeper'), 0o755)
controlFiles()
settle(root, epoch)

const name = `innkeeper_${version}_${arch}.deb`
mkdirSync(out, { recursive: true })
const built = spawnSync(
  'dpkg-deb',
  [
    '--root-owner-group',
    ...(values.plain ? ['-Znone'] : ['-Zxz', '-z2', '--threads-max=1']),
    '--build',
    root,
    join(out, `${name}.new`),
  ],
  { stdio: ['ignore', 'ignore', 'inherit'], env: { ...process.env, SOURCE_DATE_EPOCH: String(epoch) } },
)
if (built.status !== 0) throw new Error(`dpkg-deb ended with ${built.status ?? built.error?.message}`)
renameSync(join(out, `${name}.new`), join(out, name))
tell(join(out, name))
if (values.image || !values.plain) {
  const file = join(out, `innkeeper_${version}_${arch}.oci.tar`)
  const work = join(repository, 'data/package')
  buildImage({ tree: root, arch, version, epoch, work, file, pin: values.pin ?? false })
  tell(file)
}
rmSync(root, { recursive: true })

function tell(file: string): void {
  const bytes = readFileSync(file)
  const sum = createHash('sha256').update(bytes).digest('hex')
  console.log(`${file}\n${(bytes.length / 1e6).toFixed(1)} MB, sha256 ${sum}`)
}

function put(path: string, text: string | Buffer): void {
  const file = join(root, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text, { mode: 0o644 })
}

/** The files of a folder by their place in the package. */
function texts(from: string, to: string): Record<string, string> {
  const names = globSync('*', { cwd: join(repository, from) }).sort()
  return Object.fromEntries(names.map((name) => [`${to}/${name}`, readFileSync(join(repository, from, name), 'utf8')]))
}

function controlFiles(): void {
  const files = globSync('**/*', { cwd: root })
    .sort()
    .filter((path) => lstatSync(join(root, path)).isFile())
  const size = files.reduce((sum, path) => sum + Math.ceil(statSync(join(root, path)).size / 1024), 0)
  const sums = files.map(
    (path) =>
      `${createHash('md5')
        .update(readFileSync(join(root, path)))
        .digest('hex')}  ${path}\n`,
  )
  put('DEBIAN/md5sums', sums.join(''))
  for (const [script, text] of Object.entries(scripts)) {
    put(`DEBIAN/${script}`, text)
    chmodSync(join(root, 'DEBIAN', script), 0o755)
  }
  put(
    'DEBIAN/control',
    `Package: innkeeper
Version: ${version}
Architecture: ${arch}
Maintainer: Innkeeper <innkeeper@localhost>
Installed-Size: ${size}
Section: admin
Priority: optional
Depends: libc6 (>= 2.28), libgcc-s1, libstdc++6, systemd, ca-certificates
Recommends: postgresql
Suggests: nginx, prometheus
Description: staff back-office of a hosting provider
 Servers, websites and the people who look after them, with an agent on each
 managed server. The package has its own Node.
`,
  )
}
