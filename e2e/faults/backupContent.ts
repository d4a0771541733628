import type { Subject } from './kinds.ts'
import { idOf, its } from './own.ts'
import type { World } from './world.ts'

export const contents = new Map<string, string>()
/** The content of each website as it was backed up: names, modes, owners, links, sizes and sums of files, and rows. */
export const contentBefore = (subject: Subject) => contents.get(its(subject))

export async function folderOf(world: World, subject: Subject): Promise<{ folder: string; username: string }> {
  const { username } = await world.api.must('GET', `/websites/${await idOf(world, its(subject))}`)
  return { folder: `/home/${username}/${its(subject)}`, username }
}

export async function contentOf(world: World, subject: Subject): Promise<string> {
  const { folder } = await folderOf(world, subject)
  const { host } = subject.server
  const files = await host.exec([
    ...['sh', '-c'],
    `cd ${folder} && find . -mindepth 1 -printf '%P %y %m %u %g %l\\n' | sort && find . -type f -printf '%P %n %s\\n' | sort && find . -type f -exec sha256sum {} + | sort`,
  ])
  const rows = await host.exec([
    'mariadb',
    '-N',
    databaseOf(subject),
    '-e',
    'select count(*), sum(crc32(words)) from rows_of_it',
  ])
  return `${files.stdout}${files.stderr}${rows.stdout}${rows.stderr}`
}
export const databaseOf = (subject: Subject) => its(subject).replaceAll('.', '_')

/** Fills the website so that restic has work for a second: files, a hard link, and a database. */
export async function furnish(world: World, subject: Subject): Promise<void> {
  const { folder, username } = await folderOf(world, subject)
  const script = `cd ${folder}/public && mkdir -p uploads && for n in $(seq 200); do echo $n > uploads/$n.txt; done &&
    ln -f uploads/1.txt uploads/linked.txt && printf x > "uploads/new
line" && head -c 30000000 /dev/urandom > uploads/large && truncate -s 50M uploads/sparse`
  const { host } = subject.server
  const made = await host.exec([
    ...['setpriv', `--reuid=${username}`, `--regid=${username}`, '--clear-groups', 'sh', '-c', script],
  ])
  if (made.code !== 0) throw new Error(`${folder} cannot be filled: ${made.stderr}`)
  const rows = `create table rows_of_it (id int primary key, words varchar(200));
    insert into rows_of_it select seq, repeat(md5(seq), 5) from seq_1_to_20000`
  const loaded = await host.exec(['mariadb', databaseOf(subject), '-e', rows])
  if (loaded.code !== 0) throw new Error(`the database cannot be filled: ${loaded.stderr}`)
}

export async function change(world: World, subject: Subject): Promise<void> {
  const { folder } = await folderOf(world, subject)
  const script = `head -c 20000000 /dev/urandom > ${folder}/public/uploads/large` // in place, so that the owner stays
  await subject.server.host.exec(['sh', '-c', script])
  contents.set(its(subject), await contentOf(world, subject))
}
