import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { programVersion } from '../kit/app/serverFolder.ts'
import { handedOver } from './handover.ts'
import { places, readEnvironment, runAsService } from './installation.ts'
import { setup, setupHelp } from './setup/setup.ts'
import { status } from './status.ts'

/** `innkeeper` of the package: what operators run on the machine of Innkeeper itself. */
const help = `innkeeper ${programVersion}

  innkeeper setup              database, name, certificate and first administrator; starts the services
  innkeeper status             what runs, and whether it is ready
  innkeeper doctor             what is wrong, and how to mend it
  innkeeper migrate [--plan]   brings the database to this version; --plan says what would be locked, and how long
  innkeeper backup FILE        writes everything in the database into one file, also while Innkeeper runs
  innkeeper restore FILE       loads that file into an empty database
  innkeeper new-key [FILE]     exchanges the key that encrypts stored secrets
  innkeeper reset-admin        gives admin a new password
  innkeeper seed               fills in sample data

The settings are in ${places.env}. The operators' manual is in /usr/share/doc/innkeeper/operators/.`

/** Tasks that read or write the file that they name. */
const withFile: Record<string, 'read' | 'written' | 'both' | undefined> = {
  backup: 'written',
  restore: 'read',
  'new-key': 'both',
}
const plain = new Set(['migrate', 'doctor', 'reset-admin', 'seed'])

const [name = 'help', ...words] = process.argv.slice(2)
try {
  process.exitCode = await obey()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}

async function obey(): Promise<number> {
  if (name === 'help' || name === '--help' || name === '-h') return say(help)
  if (name === '--version' || name === 'version') return say(programVersion)
  if (name === 'setup') return words.includes('--help') ? say(setupHelp) : setup(words)
  if (name === 'status') return status(readEnvironment())
  const use = withFile[name]
  if (use) return handedOver([name, ...words], use)
  if (plain.has(name)) return runAsService([name, ...words])
  return client()
}

function say(text: string): number {
  console.log(text)
  return 0
}

/** The command line for people: it speaks to Innkeeper through its calls. */
function client(): Promise<number> {
  const program = join(places.lib, 'client/innkeeper.js')
  if (!existsSync(program)) {
    console.error(`innkeeper has no command ${name}.\n\n${help}`)
    return Promise.resolve(2)
  }
  const child = spawn(process.execPath, [program, name, ...words], { stdio: 'inherit' })
  return new Promise((done, reject) => {
    child.once('error', reject)
    child.once('close', (code) => done(code ?? 1))
  })
}
