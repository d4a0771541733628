import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

interface Package {
  version?: string
  integrity?: string
  license?: string
  link?: boolean
  dev?: boolean
  devOptional?: boolean
  os?: string[]
  cpu?: string[]
  libc?: string[]
}

const cpuOf = { amd64: 'x64', arm64: 'arm64' } as const

/** The software bill of materials (CycloneDX 1.6): every package whose code is in the Debian package, with its licence. */
export function billOfMaterials(repository: string, version: string, arch: 'amd64' | 'arm64', epoch: number): string {
  const { packages } = JSON.parse(readFileSync(join(repository, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, Package>
  }
  const components = Object.entries(packages)
    .filter(([path, one]) => path.startsWith('node_modules/') && isInside(one, arch))
    .map(([path, one]) => componentOf(path.replace(/^.*node_modules\//, ''), one, join(repository, path)))
    .sort((a, b) => (a['bom-ref'] < b['bom-ref'] ? -1 : 1))
    .filter((one, at, all) => one['bom-ref'] !== all[at - 1]?.['bom-ref'])
  const bill = {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      timestamp: new Date(epoch * 1000).toISOString(),
      component: {
        type: 'application',
        'bom-ref': 'innkeeper',
        name: 'innkeeper',
        version,
        licenses: [{ license: { id: 'Apache-2.0' } }],
      },
    },
    components,
    dependencies: [{ ref: 'innkeeper', dependsOn: components.map((one) => one['bom-ref']) }],
  }
  return `${JSON.stringify(bill, null, 1)}\n`
}

/** Whether a package is in the product: not of developers alone, and of this architecture. */
function isInside({ link, dev, devOptional, os, cpu, libc }: Package, arch: 'amd64' | 'arm64'): boolean {
  return (
    !link &&
    !dev &&
    !devOptional &&
    (!os || os.includes('linux')) &&
    (!cpu || cpu.includes(cpuOf[arch])) &&
    (!libc || libc.includes('glibc'))
  )
}

function componentOf(name: string, { version = '', integrity, license }: Package, folder: string) {
  const known = license ?? licenceIn(folder)
  const [, algorithm, sum] = /^(sha512)-(.+)$/.exec(integrity ?? '') ?? []
  const purl = `pkg:npm/${name.replace(/^@/, '%40')}@${version}`
  return {
    type: 'library',
    'bom-ref': purl,
    name,
    version,
    purl,
    ...(known && { licenses: [/ (OR|AND) /.test(known) ? { expression: known } : { license: { id: known } }] }),
    ...(algorithm && sum && { hashes: [{ alg: 'SHA-512', content: Buffer.from(sum, 'base64').toString('hex') }] }),
  }
}

/** The licence in the manifest of an installed package; older locks do not have it. */
function licenceIn(folder: string): string | undefined {
  const file = join(folder, 'package.json')
  if (!existsSync(file)) return undefined
  const { license } = JSON.parse(readFileSync(file, 'utf8')) as { license?: unknown }
  return typeof license === 'string' ? license : undefined
}
