import { access, constants, mkdir, readdir, rm } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { must, run } from './run.ts'

/** Whether a program of this name is in the PATH or in a system folder. */
export async function hasProgram(name: string): Promise<boolean> {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/sbin']
  const found = folders.map((folder) =>
    access(join(folder, name), constants.X_OK).then(
      () => true,
      () => false,
    ),
  )
  return (await Promise.all(found)).includes(true)
}

/**
 * The argv of mmdebstrap: the one of this machine, or a copy unpacked into `dir`, or, if Perl lacks modules, the
 * package installed on this machine. Throws when apt has no mmdebstrap.
 */
export async function mmdebstrap(dir: string): Promise<string[]> {
  if (await hasProgram('mmdebstrap')) return ['mmdebstrap']
  const program = join(dir, 'usr/bin/mmdebstrap')
  if (!(await starts(program))) await unpack('mmdebstrap', dir)
  if (await starts(program)) return [program]
  await must(['apt-get', 'install', '--yes', '--no-install-recommends', 'mmdebstrap'])
  return ['mmdebstrap']
}

/** Downloads one package with apt and unpacks it into `dir`. */
export async function unpack(name: string, dir: string): Promise<void> {
  await rm(dir, { recursive: true, force: true })
  await mkdir(dir, { recursive: true })
  // `apt-get download` writes into the current folder, which env --chdir sets.
  const download = ['env', `--chdir=${dir}`, 'apt-get', '-o', 'APT::Sandbox::User=root', 'download', name]
  if ((await run(download)).code !== 0) {
    await must(['apt-get', 'update']) // a fresh machine has no package lists yet
    await must(download)
  }
  const file = (await readdir(dir)).find((entry) => entry.endsWith('.deb'))
  await must(['dpkg-deb', '-x', join(dir, file ?? name), dir])
}

async function starts(program: string): Promise<boolean> {
  const ran = await run([program, '--version']).catch(() => undefined) // the program is missing, or Perl, which runs it
  return ran?.code === 0
}
