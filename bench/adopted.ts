import type { Action, WorkflowWithActions } from '@innkeeper/contract/machines/workflows'
import type { AdoptionView } from '@innkeeper/contract/recovery/adoptions/shapes'
import type { Host } from '@innkeeper/lab/host'
import { freshHost } from '../e2e/hosts.ts'
import type { Innkeeper } from '../e2e/innkeeper.ts'
import { addOwner, ends, visit } from '../e2e/sites.ts'
import { openStage, type Stage } from '../e2e/stage.ts'
import { until } from '../e2e/until.ts'
import { untilVerified, workflow } from '../e2e/workflows.ts'
import { median } from './load.ts'
import { atMost, known, type Line, short } from './table.ts'

const [ACCOUNTS, EACH] = [40, 5]
const SITES = ACCOUNTS * EACH
/** Accounts or websites that somebody has begun and not yet accepted. */
const AT_ONCE = 8
/** Of one website. */
const FILES = { count: 20, bytes: 9_000 }
/** Rows of the database that the first website of each account has. */
const ROWS = 2000
/** Websites of each account with a certificate. */
const SECURE = 2

interface Old {
  host: Host
  serverId: number
  adoption: number
}

/**
 * Adopts 200 small websites in both ways: those of HestiaCP side by side, those of a hand-made nginx where they lie, the
 * second under visitors. Each is accepted, as people do it, and visited at its end. Each account has a database, whose rows its first
 * website counts, and two certificates.
 */
export async function* adopted(server: string): AsyncGenerator<Line> {
  process.env.TEST_POSTGRES ??= server
  const stage = await openStage('bench-new', { layer: 'databases' })
  const closing: (() => Promise<void>)[] = [() => stage.close()]
  try {
    const plan = (await stage.innkeeper.must('GET', '/system-user/plans')).items.find(
      ({ name }: { name: string }) => name === 'Business',
    ).id
    const old = async (name: string, script: string) => {
      const host = await freshHost(stage.lab, name, 'databases')
      closing.push(() => host.wipe())
      return { host, ...(await looked(stage, host, script)) }
    }
    const hestia = await old('bench-panel', `${tree('/home/$user/web/$site/public_html', 'a')}\n${records}`)
    yield atMost('adopted', `look at ${SITES} websites of HestiaCP`, hestia.seconds, 60, ' s', `${ACCOUNTS} accounts`)
    yield* sideBySide(stage, hestia, plan)
    const made = await old('bench-made', `${web}\n${tree('/home/$user/$site', 'b')}\n${servers}`)
    yield atMost('adopted', `look at ${SITES} websites of nginx`, made.seconds, 60, ' s', `${ACCOUNTS} accounts`)
    yield* inPlace(stage, made, plan)
  } finally {
    for (const end of closing.toReversed()) await end()
  }
}

const names = (letter: string) =>
  Array.from({ length: ACCOUNTS }, (_, n) => ({
    account: `${letter}${n + 1}`,
    sites: Array.from({ length: EACH }, (__, i) => `${letter}${n + 1}-${i + 1}.example`),
  }))

/** A loop of the shell over all accounts and websites, with `$user` and `$site`. */
const each = (letter: string, ofUser: string, ofSite: string) =>
  `for n in $(seq ${ACCOUNTS}); do user=${letter}$n; ${ofUser}
  for i in $(seq ${EACH}); do site=${letter}$n-$i.example; ${ofSite}
  done; done`
const tree = (folder: string, letter: string) =>
  `systemctl start mariadb; head -c ${FILES.bytes} /dev/zero | tr '\\0' x > /tmp/file; mkdir -p /srv/keys
  { echo 'create table posts (id int primary key, title varchar(200), body text);'; for n in $(seq ${ROWS}); do
    echo "insert into posts values ($n, 'title $n', repeat('text ', 100));"; done; } > /tmp/posts.sql\n${each(
      letter,
      `useradd --create-home $user; chmod 755 /home/$user
    { echo "create database \${user}_shop; create user \${user}_shop@localhost identified by 'Word-of-$user'; grant all on \${user}_shop.* to \${user}_shop@localhost;
    use \${user}_shop; begin;"; cat /tmp/posts.sql; echo 'commit;'; } | mariadb`,
      `mkdir -p ${folder}; for f in $(seq ${FILES.count}); do cp /tmp/file ${folder}/page$f.txt; done
    echo "<?php echo '$site of ' . get_current_user();" > ${folder}/index.php
    [ $i = 1 ] && echo "echo ' with ' . (new mysqli('localhost', '\${user}_shop', 'Word-of-$user', '\${user}_shop'))->query('select count(*) from posts')->fetch_row()[0];" >> ${folder}/index.php
    [ $i -gt ${SECURE} ] || openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 90 -subj "/CN=$site" \\
      -addext "subjectAltName=DNS:$site,DNS:www.$site" -keyout /srv/keys/$site.key -out /srv/keys/$site.crt 2>/dev/null
    chown -R $user: /home/$user`,
    )}`
const records = `mkdir -p /usr/local/hestia/data/users\n${each(
  'a',
  `u=/usr/local/hestia/data/users/$user; mkdir -p $u/ssl; echo "NAME='$user' PACKAGE='default' CONTACT='' SUSPENDED='no'" > $u/user.conf
  hash=$(mariadb -BN -e "select authentication_string from mysql.user where user = '\${user}_shop'")
  echo "DB='\${user}_shop' DBUSER='\${user}_shop' MD5='$hash' HOST='localhost' TYPE='mysql' CHARSET='UTF8MB4' SUSPENDED='no'" > $u/db.conf`,
  `ssl=no; if [ $i -le ${SECURE} ]; then ssl=yes; cp /srv/keys/$site.crt /srv/keys/$site.key $u/ssl/; cp /srv/keys/$site.crt $u/ssl/$site.pem; fi
  echo "DOMAIN='$site' IP='192.0.2.9' ALIAS='www.$site' BACKEND='PHP-8_2' SSL='$ssl' SUSPENDED='no'" >> $u/web.conf`,
)}`
const web = `printf '#!/bin/sh\\nexit 101\\n' > /usr/sbin/policy-rc.d; chmod 755 /usr/sbin/policy-rc.d
apt-get install --yes nginx php8.2-fpm php8.2-mysql curl >/dev/null; rm /usr/sbin/policy-rc.d; rm -f /etc/nginx/sites-enabled/default`
const servers = `${each(
  'b',
  `printf "[$user]\\nuser = $user\\nlisten = /run/$user.sock\\nlisten.mode = 0666\\npm = ondemand\\npm.max_children = 2\\n" > /etc/php/8.2/fpm/pool.d/$user.conf`,
  `ssl=; [ $i -gt ${SECURE} ] || ssl="listen 443 ssl; ssl_certificate /srv/keys/$site.crt; ssl_certificate_key /srv/keys/$site.key;"
cat > /etc/nginx/sites-enabled/$site <<END
server { listen 80; $ssl server_name $site www.$site; root /home/$user/$site; index index.php;
  location ~ [.]php\\$ { include fastcgi_params; fastcgi_param SCRIPT_FILENAME \\$document_root\\$fastcgi_script_name; fastcgi_pass unix:/run/$user.sock; } }
END`,
)}
printf 'server_names_hash_bucket_size 128;\\nserver_names_hash_max_size 4096;\\n' > /etc/nginx/conf.d/names.conf
systemctl start nginx php8.2-fpm`

/** Sets up a machine in use, which Innkeeper knows and has looked at. */
async function looked(
  { innkeeper }: Stage,
  host: Host,
  script: string,
): Promise<{ serverId: number; adoption: number; seconds: number }> {
  await run(host, script)
  const { id: serverId, enrolment } = await innkeeper.must('POST', '/cloud-management/servers', {
    ...{ name: host.name, type: 'adopted', address: host.address },
  })
  await run(host, enrolment.command)
  await until('the machine is online', async () => {
    const { observed } = await innkeeper.must('GET', `/cloud-management/servers/view/${serverId}`)
    return observed === 'online'
  })
  const { data, workflowId } = await innkeeper.must('POST', '/adoptions', { serverId })
  const { actions } = await ends(innkeeper, workflowId, 'done')
  return { serverId, adoption: data.id, seconds: sum(actions.map(worked)) }
}

async function* sideBySide({ innkeeper, host, server }: Stage, old: Old, plan: number): AsyncGenerator<Line> {
  const done: WorkflowWithActions[] = []
  const began = performance.now()
  await atOnce(names('a'), async ({ account }) => {
    const userId = await addOwner(innkeeper)
    const brought = await innkeeper.must('POST', `/adoptions/${old.adoption}/bring`, { serverId: server, account })
    done.push(await ends(innkeeper, brought.workflowId, 'done'))
    const at = `/archive-imports/${brought.importId}`
    const { workflowId } = await innkeeper.must('POST', `${at}/start`, { userId, plan })
    const { status, reason } = await untilVerified(innkeeper, brought.importId)
    if (status !== 'verified') throw new Error(`${account} is ${status}: ${reason}`)
    await innkeeper.must('POST', `${at}/accept`)
    done.push(await ends(innkeeper, workflowId, 'done'))
  })
  yield minutes('side by side', began)
  yield* steps('side by side', done)
  yield await answered('side by side', host.address, 'a')
}

async function* inPlace({ innkeeper }: Stage, { host, serverId, adoption }: Old, plan: number): AsyncGenerator<Line> {
  const { version } = await innkeeper.must('GET', `/cloud-management/servers/view/${serverId}`)
  await innkeeper.must('PATCH', `/cloud-management/servers/${serverId}`, { type: 'web', version })
  const visits = visiting(host.address, 'b')
  const plans: number[] = []
  const done: WorkflowWithActions[] = []
  const owners = new Map<string, number>()
  for (const { account } of names('b')) owners.set(account, await addOwner(innkeeper))
  const all = names('b').flatMap(({ account, sites }) => sites.map((website) => ({ account, website })))
  const began = performance.now()
  await atOnce(all, async ({ account, website }) => {
    const what = { account, website, userId: owners.get(account) ?? 0, plan }
    const query = new URLSearchParams({ ...what, userId: `${what.userId}`, plan: `${plan}` })
    const asked = performance.now()
    const { facts, problems } = await innkeeper.must('GET', `/adoptions/${adoption}/place?${query}`)
    plans.push((performance.now() - asked) / 1000)
    if (facts.obstacles.length || Object.keys(problems).length)
      throw new Error(`${website}: ${facts.obstacles.join()} ${JSON.stringify(problems)}`)
    const { seen, root, phpVersion, serves, redirects, application } = facts
    const { data, workflowId } = await innkeeper.must('POST', `/adoptions/${adoption}/places`, {
      ...{ ...what, seen, root, phpVersion, serves, redirects, application },
    })
    const { paused } = await until(`${website} is taken over`, async () => {
      const now = await workflow(innkeeper, workflowId)
      return (now.paused || now.endedAt !== null) && now
    })
    if (!paused) throw new Error(`${website}: ${await why(innkeeper, adoption, data.id)}`)
    await innkeeper.must('POST', `/adoptions/places/${data.id}/accept`)
    done.push(await ends(innkeeper, workflowId, 'done'))
  })
  yield minutes('in place', began)
  yield known('adopted', 'in place: plan that people see', `${short(median(plans))} s`, `${plans.length} plans`)
  yield* steps('in place', done)
  const { count, failures } = await visits.stop()
  yield atMost('adopted', 'in place: visits that were not answered', failures.length, 0, '', `${count} visits`)
  yield await answered('in place', host.address, 'b')
}

async function why(innkeeper: Innkeeper, adoption: number, place: number): Promise<string> {
  const { places }: AdoptionView = await innkeeper.must('GET', `/adoptions/${adoption}`)
  return places.find(({ id }) => id === place)?.reason ?? 'it was not taken over'
}

const minutes = (how: string, began: number) => {
  const spent = (performance.now() - began) / 60_000
  return atMost('adopted', `${how}: ${SITES} websites`, spent, 10, ' min', `${AT_ONCE} at a time, each accepted`)
}

const worked = ({ startedAt, endedAt }: Pick<Action, 'startedAt' | 'endedAt'>) =>
  startedAt && endedAt ? (Date.parse(endedAt) - Date.parse(startedAt)) / 1000 : 0
const waited = ({ readyAt, startedAt }: Pick<Action, 'readyAt' | 'startedAt'>) =>
  readyAt && startedAt ? (Date.parse(startedAt) - Date.parse(readyAt)) / 1000 : 0
const sum = (all: readonly number[]) => all.reduce((a, b) => a + b, 0)

/** What each kind of step took, the longest in sum first. */
function* steps(how: string, done: readonly WorkflowWithActions[]): Generator<Line> {
  const kinds = Map.groupBy(
    done.flatMap(({ actions }) => actions),
    ({ name }) => name,
  )
  const all = [...kinds].map(([name, actions]) => ({ name, times: actions.map(worked), waits: actions.map(waited) }))
  for (const { name, times, waits } of all.toSorted((a, b) => sum(b.times) - sum(a.times)).slice(0, 12))
    yield known(
      'adopted',
      `${how}: ${name}`,
      `${short(median(times))} s`,
      `${times.length} times, ${short(sum(times))} s in all, waited ${short(median(waits))} s`,
    )
}

async function answered(how: string, address: string, letter: string): Promise<Line> {
  const wrong: string[] = []
  for (const { sites } of names(letter))
    for (const site of sites) {
      const { status, body } = await visit(address, site)
      const isRight = body.startsWith(`${site} of `) && (!site.includes('-1.') || body.endsWith(` with ${ROWS}`))
      if (!isRight) wrong.push(`${site} ${status} ${body.slice(0, 40)}`)
    }
  return atMost('adopted', `${how}: websites with another answer`, wrong.length, 0, '', wrong.slice(0, 3).join(', '))
}

/** Ten visitors a second, each to another website. */
function visiting(address: string, letter: string) {
  const sites = names(letter).flatMap((one) => one.sites)
  const open: Promise<void>[] = []
  const failures: string[] = []
  const timer = setInterval(() => {
    const site = sites[(open.length * 7) % sites.length] ?? ''
    open.push(visit(address, site).then(({ status }) => void (status === 200 || failures.push(`${site} ${status}`))))
  }, 100)
  return {
    async stop() {
      clearInterval(timer)
      await Promise.all(open)
      return { count: open.length, failures }
    },
  }
}

/** Does the work for all items, some at a time. */
async function atOnce<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const left = [...items]
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (let item = left.shift(); item !== undefined; item = left.shift()) await work(item)
    }),
  )
}

async function run(host: Host, script: string): Promise<void> {
  const { code, stdout, stderr } = await host.exec(['sh', '-euc', script])
  if (code !== 0) throw new Error(`${stdout}${stderr}`)
}
