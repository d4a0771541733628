import type { Action } from '@innkeeper/contract/machines/workflows'
import type { Host } from '@innkeeper/lab/host'
import { enrol, freshHost } from '../e2e/hosts.ts'
import { created, ends, moved } from '../e2e/sites.ts'
import { openStage } from '../e2e/stage.ts'
import { median } from './load.ts'
import type { Options } from './options.ts'
import { atMost, known, type Line, short } from './table.ts'

/** Pages and pictures of a website, about 300 MB, and rows of its database, about 100 MB. */
const [PAGES, PICTURES, ROWS] = [6000, 210, 170_000]
const MOVE = 'copies of a move'

/**
 * Backs up and moves a website through the whole product on practice hosts, in turns with `restic`, `mariadb-dump` and `rsync` by hand
 * on the same hosts. Each round begins with new content.
 */
export async function* byHand(server: string, { rounds }: Options): AsyncGenerator<Line> {
  process.env.TEST_POSTGRES ??= server
  const stage = await openStage('bench-oslo', { layer: 'databases' })
  const { innkeeper, host } = stage
  const hosts: Host[] = []
  try {
    const keeper = await freshHost(stage.lab, 'bench-vault')
    hosts.push(keeper)
    const bergen = await freshHost(stage.lab, 'bench-bergen', 'databases')
    hosts.push(bergen)
    const [keeperId, to] = [await enrol(innkeeper, keeper, 'backup'), await enrol(innkeeper, bergen)]
    const { data: backupServer, workflowId } = await innkeeper.must('POST', '/backups/servers', { serverId: keeperId })
    await ends(innkeeper, workflowId, 'done')
    const site = await created(innkeeper, stage.server, 'hand.example', { database: true })
    const [database] = (await innkeeper.must('GET', `/database/websites/${site.id}`)).items
    const folder = site.documentRoot

    const backUp = async (): Promise<Action[]> => {
      const wanted = { websiteId: site.id, backupServerId: backupServer.id }
      const started = await innkeeper.must('POST', '/backups/backups', wanted)
      return (await ends(innkeeper, started.workflowId, 'done')).actions
    }
    await backUp() // makes the account on the backup server
    const { address, username, key, certificate } = await passwordsOf()
    await run(host, `mkdir -p /root/hand; cat > /root/hand/pem <<'E'\n${certificate}E`)
    const restic = `env RESTIC_REST_USERNAME=${username} RESTIC_REST_PASSWORD=${key} RESTIC_PASSWORD=hand HOME=/root \
      $(ls -d /opt/innkeeper/*/restic | head -1) --quiet --cacert /root/hand/pem --repo ${address}hand`
    await run(host, `${restic} init`)
    await run(bergen, 'apt-get update -qq; apt-get install --yes rsync openssh-server >/dev/null')
    await run(
      host,
      `apt-get update -qq; apt-get install --yes rsync openssh-client >/dev/null; ssh-keygen -q -N '' -t ed25519 -f /root/hand/id`,
    )
    const { stdout: pub } = await host.exec(['cat', '/root/hand/id.pub'])
    await run(bergen, `mkdir -p /root/.ssh; cat >> /root/.ssh/authorized_keys <<'E'\n${pub}E\nsystemctl start ssh`)
    const ssh = `ssh -i /root/hand/id -o StrictHostKeyChecking=no`

    const times = new Map<string, { ours: number[]; hand: number[] }>()
    const note = (what: string, side: 'ours' | 'hand', seconds: number) => {
      const both = times.get(what) ?? { ours: [], hand: [] }
      both[side].push(seconds)
      times.set(what, both)
    }
    const backups: Record<'ours' | 'hand', (which: string) => Promise<void>> = {
      async ours(which) {
        const actions = await backUp()
        note(`${which} backup of files`, 'ours', sumOf(actions, /^backup-files/))
        note(`${which} backup of the database`, 'ours', sumOf(actions, /^backup-database/))
      },
      async hand(which) {
        note(`${which} backup of files`, 'hand', await timed(host, `cd ${folder}/.. && ${restic} backup .`))
        const dump = `mariadb-dump --single-transaction --routines --triggers --events ${database.name}`
        note(
          `${which} backup of the database`,
          'hand',
          await timed(host, `${restic} backup --stdin-filename dump.sql --stdin-from-command -- ${dump}`),
        )
      },
    }
    const moves: Record<'ours' | 'hand', () => Promise<void>> = {
      async ours() {
        const begun = await innkeeper.must('POST', `/websites/${site.id}/migrate`, { targetServerId: to, soakHours: 1 })
        const move = await moved(innkeeper, begun.id, 'soaking')
        const actions = move.workflow?.actions ?? []
        note(
          'copies of a move',
          'ours',
          sumOf(actions, /^transfer\.(pull|fetch|compare|verify)|^database\.(marks|dump|load)/),
        )
        const back = await innkeeper.must('PATCH', `/websites/migrations/${begun.id}`, { want: 'rollback' })
        await moved(innkeeper, back.id, 'soaking')
        await innkeeper.must('PATCH', `/websites/migrations/${back.id}`, { want: 'retire' })
        await moved(innkeeper, back.id, 'done')
      },
      async hand() {
        const at = `root@${bergen.address}`
        await run(bergen, 'rm -rf /srv/hand; mariadb -e "drop database if exists hand; create database hand"')
        const files = await timed(host, `rsync --archive --rsh='${ssh}' ${folder}/ ${at}:/srv/hand/`)
        const rows = await timed(host, `mariadb-dump --single-transaction ${database.name} | ${ssh} ${at} mariadb hand`)
        note(MOVE, 'hand', files + rows)
      },
    }
    for (let n = 0; n < rounds; n++) {
      await run(host, contentOf(folder, site.username, database.name, n))
      const turns = n % 2 ? (['hand', 'ours'] as const) : (['ours', 'hand'] as const)
      for (const which of ['first', 'unchanged']) for (const side of turns) await backups[side](which)
      for (const side of turns) await moves[side]()
    }
    for (const [what, { ours, hand }] of times) {
      const ratios = ours.map((one, n) => one / (hand[n] ?? Number.NaN))
      const range = `${short(Math.min(...ratios))}–${short(Math.max(...ratios))} in ${rounds} pairs`
      const seconds = `${short(median(ours))} s and ${short(median(hand))} s`
      const title = `${what}, of by hand`
      // a move compares and verifies what it has copied; by hand nobody does
      if (what === MOVE) yield known('byHand', title, short(median(ratios)), `${range}, ${seconds}`)
      else
        yield atMost(
          'byHand',
          title,
          median(ratios),
          what.includes('database') ? 1.2 : 1.15,
          '',
          `${range}, ${seconds}`,
        )
    }
  } finally {
    for (const one of hosts) await one.wipe()
    await stage.close()
  }

  async function passwordsOf() {
    const { id } = (await innkeeper.must('GET', '/backups/repositories'))[0][0]
    return innkeeper.must('POST', `/backups/repositories/${id}/password`, {})
  }
}

const worked = ({ startedAt, endedAt }: Action) =>
  startedAt && endedAt ? (Date.parse(endedAt) - Date.parse(startedAt)) / 1000 : 0
const sumOf = (actions: readonly Action[], which: RegExp) =>
  actions.filter(({ name }) => which.test(name)).reduce((all, one) => all + worked(one), 0)

async function run(host: Host, script: string): Promise<string> {
  const { code, stdout, stderr } = await host.exec(['bash', '-euo', 'pipefail', '-c', script])
  if (code !== 0) throw new Error(`${stdout}${stderr}`)
  return stdout.trim()
}
/** Seconds by the clock of the host, without the way of the command to it. */
const timed = async (host: Host, script: string) =>
  Number(await run(host, `sync; began=$(date +%s%N); { ${script}; } >/dev/null; echo $(( $(date +%s%N) - began ))`)) /
  1e9

/** Files and rows of round `n`, which no round before had. */
const contentOf = (folder: string, account: string, database: string, n: number) => `
  rm -rf ${folder}/tree; mkdir ${folder}/tree; cd ${folder}/tree
  head -c 7000 /dev/urandom | base64 -w 0 > /tmp/part
  for i in $(seq ${PAGES}); do d=d$((i % 60)); mkdir -p $d; { echo "${n} $i"; cat /tmp/part; } > $d/page$i.php; done
  for i in $(seq ${PICTURES}); do head -c 1180000 /dev/urandom > picture$i.jpg; done
  chown -R ${account}: .
  mariadb ${database} -e "drop table if exists posts; create table posts (id int primary key, title varchar(200), author int, body longtext, key (author), key (title));
    insert into posts select seq, concat('title ', seq * 7919 % 1000003), seq % 997, concat(repeat('0', 400), md5(seq + ${n} * 1000000), ' some text of a page with words') from seq_1_to_${ROWS}"`
