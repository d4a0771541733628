import type { Action } from '@innkeeper/contract/machines/workflows'
import { addOwner, ends } from '../e2e/sites.ts'
import { openStage } from '../e2e/stage.ts'
import { untilVerified, workflow } from '../e2e/workflows.ts'
import { median } from './load.ts'
import type { Options } from './options.ts'
import { atLeast, known, type Line, short } from './table.ts'

/** Pages and plugins as WordPress has them, and pictures: about 300 MB. */
const [SMALL, LARGE] = [
  { count: 6000, bytes: 9000 },
  { count: 210, bytes: 1_180_000 },
]
const ROWS = 170_000
const MB = 1_048_576

/**
 * Imports one account of HestiaCP, of 300 MB of files and a dump of 100 MB, through the whole product on a practice host, in turns with
 * `rsync` and `mariadb` by hand on the same host.
 */
export async function* imported(server: string, { rounds }: Options): AsyncGenerator<Line> {
  process.env.TEST_POSTGRES ??= server
  const stage = await openStage('bench-import', { layer: 'databases' })
  try {
    const { innkeeper, host, server: serverId } = stage
    const run = async (script: string) => {
      const { code, stdout, stderr } = await host.exec(['sh', '-euc', script])
      if (code !== 0) throw new Error(`${stdout}${stderr}`)
      return stdout.trim()
    }
    /** Seconds by the clock of the host, without the way of the command to it. */
    const timed = async (script: string) =>
      Number(await run(`began=$(date +%s%N); { ${script}; } >/dev/null; echo $(( $(date +%s%N) - began ))`)) / 1e9
    await run(made)
    const [bytes = 0, dump = 0] = (await run(`du -sb /srv/tree | cut -f1; stat -c %s /srv/shop.sql`))
      .split('\n')
      .map(Number)
    const { items } = await innkeeper.must('GET', '/system-user/plans')
    const plan = items.find(({ name }: { name: string }) => name === 'Business').id
    const userId = await addOwner(innkeeper)
    const looked = await innkeeper.must('POST', '/archive-imports', { serverId, path: '/srv/shop.tar' })
    await ends(innkeeper, looked.workflowId, 'done')
    const at = `/archive-imports/${looked.data.id}`
    const times = { files: [] as number[], rsync: [] as number[], rows: [] as number[], mariadb: [] as number[] }
    const whole: number[] = []
    const kinds = new Map<string, number[]>()
    const ours = async () => {
      await run('sync')
      const { workflowId } = await innkeeper.must('POST', `${at}/start`, { userId, plan })
      const { status, reason } = await untilVerified(innkeeper, looked.data.id)
      if (status !== 'verified') throw new Error(`the import is ${status}: ${reason}`)
      const { actions } = await workflow(innkeeper, workflowId)
      const of = (which: (one: Action) => boolean) => actions.filter(which).reduce((all, one) => all + worked(one), 0)
      times.files.push(of(({ name }) => name === 'archive.unpack'))
      times.rows.push(of(({ name }) => name.startsWith('dump.') || name.startsWith('database')))
      for (const one of actions) if (worked(one)) kinds.set(one.name, [...(kinds.get(one.name) ?? []), worked(one)])
      const ended = actions.filter(({ endedAt }) => endedAt).map(({ endedAt }) => Date.parse(endedAt ?? ''))
      const begun = actions.filter(({ startedAt }) => startedAt).map(({ startedAt }) => Date.parse(startedAt ?? ''))
      whole.push((Math.max(...ended) - Math.min(...begun)) / 1000)
      await innkeeper.must('POST', `${at}/roll-back`)
      await ends(innkeeper, workflowId, 'rolled-back')
    }
    const byHand = async () => {
      await run('sync; mariadb -e "create database hand"')
      times.rsync.push(await timed('rsync --archive /srv/tree/ /srv/hand/'))
      times.mariadb.push(await timed('mariadb hand < /srv/shop.sql'))
      await run('rm -r /srv/hand; mariadb -e "drop database hand"')
    }
    for (let n = 0; n < rounds; n++) for (const turn of n % 2 ? [byHand, ours] : [ours, byHand]) await turn()
    /** The median of the ratios of the pairs: what else the machine does weighs on both halves of a pair. */
    const pair = (what: string, mine: number[], hand: number[], size: number) => {
      const ratios = mine.map((one, n) => (hand[n] ?? 0) / one)
      const range = `${Math.min(...ratios).toFixed(2)}–${Math.max(...ratios).toFixed(2)} in ${rounds} pairs`
      const seconds = `${short(median(mine))} s and ${short(median(hand))} s for ${short(size / MB)} MB`
      return atLeast('imported', what, median(ratios), 0.8, `${range}, ${seconds}`)
    }
    yield pair('files, of rsync by hand', times.files, times.rsync, bytes)
    yield pair('rows, of mariadb by hand', times.rows, times.mariadb, dump)
    const both = times.rsync.map((one, n) => one + (times.mariadb[n] ?? 0))
    const loaded = times.files.map((one, n) => one + (times.rows[n] ?? 0))
    yield pair('both, of both by hand', loaded, both, bytes + dump)
    yield known(
      'imported',
      'whole import, of both by hand',
      (median(both) / median(whole)).toFixed(2),
      `${short(median(whole))} s from the account to the comparison, with sums of files and rows`,
    )
    for (const [name, all] of [...kinds].toSorted(([, a], [, b]) => median(b) - median(a)).slice(0, 8))
      yield known('imported', name, `${short(median(all))} s`)
  } finally {
    await stage.close()
  }
}

const worked = ({ startedAt, endedAt }: Action) =>
  startedAt && endedAt ? (Date.parse(endedAt) - Date.parse(startedAt)) / 1000 : 0

/** The tree as it lies there, its archive as `v-backup-user` writes it, and the dump. */
const made = `apt-get update -qq; apt-get install --yes rsync zstd >/dev/null
  pages=/srv/tree/public_html; mkdir -p $pages; a=/srv/archive; mkdir -p $a/hestia $a/web/shop.example/hestia $a/db/alice_shop/hestia
  head -c 2000 /dev/urandom > /tmp/part; yes '<?php // a line' | head -c ${SMALL.bytes - 2000} >> /tmp/part
  for n in $(seq ${SMALL.count}); do d=$pages/d$((n % 60)); mkdir -p $d; { echo $n; cat /tmp/part; } > $d/page$n.php; done
  for n in $(seq ${LARGE.count}); do head -c ${LARGE.bytes} /dev/urandom > $pages/picture$n.jpg; done
  awk 'BEGIN { print "CREATE TABLE posts (id int NOT NULL AUTO_INCREMENT, title varchar(200), author int, body longtext, PRIMARY KEY (id), KEY author (author), KEY title (title));"
    for (n = 1; n <= ${ROWS}; n++) { printf "%s(%d,\\"title %d of a page\\",%d,\\"%0500d some text of a page with words\\")%s", (n % 500 == 1 ? "INSERT INTO posts VALUES " : ""), n, n * 7919 % 1000003, n % 997, n, (n % 500 == 0 || n == ${ROWS} ? ";\\n" : ",") }
    print "-- Dump completed" }' > /srv/shop.sql
  echo "NAME='alice' PACKAGE='default' CONTACT='' SUSPENDED='no'" > $a/hestia/user.conf; touch $a/.zstd
  echo "DOMAIN='shop.example' ALIAS='' IP='192.0.2.1' BACKEND='PHP-8_2' SUSPENDED='no'" > $a/web/shop.example/hestia/web.conf
  echo "DB='alice_shop' DBUSER='alice_shop' MD5='*2470C0C06DEE42FD1618BB99005ADCA2EC9D1E19' HOST='localhost' TYPE='mysql' CHARSET='UTF8MB4' SUSPENDED='no'" > $a/db/alice_shop/hestia/db.conf
  tar --zstd -cf $a/web/shop.example/domain_data.tar.zst -C /srv/tree .; zstd -q -c /srv/shop.sql > $a/db/alice_shop/alice_shop.mysql.sql.zst
  tar -C $a -cf /srv/shop.tar .; rm -r $a`
