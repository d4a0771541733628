import { createHash } from 'node:crypto'
import { cpSync, createReadStream, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:https'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Host } from '@innkeeper/lab/host'
import type { Lab } from '@innkeeper/lab/lab'
import { must } from '@innkeeper/lab/run'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freshHost, onHosts, openHosts } from './hosts.ts'
import { repository, scratch } from './innkeeper.ts'
import { until } from './until.ts'

const folder = join(scratch, 'package')
const packed = (version: string) => join(folder, `innkeeper_${version}_amd64.deb`)
const image = join(folder, 'innkeeper_0.2.0_amd64.oci.tar')
const build = (version: string, ...more: string[]) =>
  must([
    process.execPath,
    join(repository, 'packaging/build.ts'),
    '--plain',
    '--version',
    version,
    '--out',
    folder,
    ...more,
  ])

async function sumOf(file: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(file), hash)
  return hash.digest('hex')
}

interface Answer {
  status: number
  body: string
  hsts: string | undefined
}

/** A request on a connection of its own, as a balancer makes one; the certificate of the test is its own authority. */
function ask(
  host: Host,
  port: number,
  path: string,
  { method = 'GET', token = '', body }: { method?: string; token?: string; body?: unknown } = {},
): Promise<Answer> {
  const headers = {
    ...(token && { authorization: `Bearer ${token}` }),
    ...(body !== undefined && { 'content-type': 'application/json' }),
  }
  const agent = new Agent({ keepAlive: false })
  return new Promise((resolve, reject) => {
    const options = { host: host.address, port, path, method, headers, agent, rejectUnauthorized: false }
    const sent = request(options, (answer) => {
      let text = ''
      answer.setEncoding('utf8').on('data', (part: string) => {
        text += part
      })
      answer.on('error', reject).on('end', () =>
        resolve({
          status: answer.statusCode ?? 0,
          body: text,
          hsts: answer.headers['strict-transport-security'],
        }),
      )
    })
    sent.on('error', reject).end(body === undefined ? undefined : JSON.stringify(body))
  })
}

/** The package alone: no checkout, no Node on the host. */
describe('the Debian package', onHosts, () => {
  let lab: Lab
  let host: Host
  const inside = async (...argv: string[]) => {
    const { code, stdout, stderr } = await host.exec(argv)
    return { code, said: `${stdout}${stderr}` }
  }
  const shell = (text: string) => inside('sh', '-c', text)
  /** The administrator's password and the number of owners, which outlive the machine. */
  let password: string | undefined
  let made = 0
  const [second, secondAgents, secondHttp] = [8443, 8444, 8080]
  const send = (version: string) => cpSync(packed(version), join(host.root, 'var/cache/innkeeper.deb'))

  beforeAll(async () => {
    rmSync(folder, { recursive: true, force: true })
    mkdirSync(folder, { recursive: true })
    await build('0.2.0', '--image')
    lab = await openHosts()
    host = await freshHost(lab, 'package', 'databases')
  })
  afterAll(async () => {
    await host?.wipe()
    await lab?.close()
    rmSync(folder, { recursive: true, force: true })
  })

  test('is byte for byte the same when it is built again, and so is the OCI image', async () => {
    const sums = () => Promise.all([packed('0.2.0'), image].map(sumOf))
    const first = await sums()
    await build('0.2.0', '--image')
    expect(await sums()).toEqual(first)
  })

  test('is installed and set up, and answers over https; nothing runs with more rights than it needs', async () => {
    send('0.2.0')
    const installed = await inside('dpkg', '--install', '/var/cache/innkeeper.deb')
    expect(installed, installed.said).toMatchObject({ code: 0 })
    expect((await inside('innkeeper', 'status')).said).toContain('innkeeper setup')
    await shell(`systemctl start postgresql && echo '127.0.0.1 innkeeper.test' >>/etc/hosts
      openssl req -x509 -newkey rsa:2048 -nodes -days 30 -subj /CN=innkeeper.test -addext subjectAltName=DNS:innkeeper.test \\
        -keyout /etc/ssl/key.pem -out /etc/ssl/chain.pem && chgrp innkeeper /etc/ssl/key.pem && chmod 0640 /etc/ssl/key.pem
      cp /etc/ssl/chain.pem /usr/local/share/ca-certificates/own.crt && update-ca-certificates`)
    const words =
      '--database local --name innkeeper.test --certificate /etc/ssl/chain.pem --certificate-key /etc/ssl/key.pem'
    const setUp = await shell(`innkeeper setup ${words}`)
    expect(setUp, setUp.said).toMatchObject({ code: 0 })
    expect(setUp.said).toContain('Innkeeper is ready: https://innkeeper.test')

    const screen = await ask(host, 443, '/')
    expect(screen).toMatchObject({ status: 200, hsts: 'max-age=31536000' })
    expect(screen.body).toContain('<div id="root">')
    const plain = await fetch(`http://${host.address}/websites`, { redirect: 'manual' })
    expect([plain.status, plain.headers.get('location')]).toEqual([308, 'https://innkeeper.test/websites'])

    const judged = await shell(
      'for unit in api@1 worker; do systemd-analyze security --threshold=20 innkeeper-$unit; done',
    )
    expect(judged, judged.said).toMatchObject({ code: 0 })
    const files = await shell(
      'stat -c "%a %U" /etc/innkeeper/innkeeper.env /etc/innkeeper/innkeeper.key; innkeeper status',
    )
    expect(files, files.said).toMatchObject({ code: 0 })
    expect(files.said).toMatch(/^640 root\n600 root\n/)
  })

  test('takes a backup as the service user, and refuses to restore over data', async () => {
    const kept = await shell('cd /root && innkeeper backup own.backup && stat -c "%a %U" own.backup')
    expect(kept, kept.said).toMatchObject({ code: 0 })
    expect(kept.said).toMatch(/600 root\n$/)
    const refused = await shell('cd /root && innkeeper restore own.backup')
    expect(refused.code).toBe(1)
    expect(refused.said).not.toContain('handover-') // the caller's own file is named
    const other = await shell('innkeeper no-such-word')
    expect(other.code).not.toBe(0)
  })

  test('has proxies in its manual that the proxies themselves accept', async () => {
    const manual = readFileSync(join(repository, 'docs/operators/proxies.md'), 'utf8')
    const [nginx = '', caddy = '', haproxy = ''] = [...manual.matchAll(/^```\w*\n(.*?)^```/gms)].map(([, text]) => text)
    const installed = await shell(
      'apt-get update -qq && apt-get install -y -qq --no-install-recommends nginx-light haproxy caddy',
    )
    expect(installed, installed.said).toMatchObject({ code: 0 })
    await shell(`mkdir -p /etc/ssl/innkeeper && cp /etc/ssl/chain.pem /etc/ssl/innkeeper/fullchain.pem
      cp /etc/ssl/key.pem /etc/ssl/innkeeper/key.pem && cat /etc/ssl/chain.pem /etc/ssl/key.pem >/etc/haproxy/innkeeper.pem`)
    const put = (file: string, text: string) => writeFileSync(join(host.root, file), text)
    put('etc/nginx/sites-enabled/innkeeper', nginx)
    put('root/Caddyfile', caddy)
    put('root/haproxy.cfg', readFileSync(join(host.root, 'etc/haproxy/haproxy.cfg'), 'utf8') + haproxy)
    for (const command of [
      'nginx -t',
      'caddy validate --adapter caddyfile --config /root/Caddyfile',
      'haproxy -c -f /root/haproxy.cfg',
    ]) {
      const judged = await shell(command)
      expect(judged, `${command}: ${judged.said}`).toMatchObject({ code: 0 })
    }
  })

  test('streams its action log to a real rsyslog, in order', async () => {
    const installed = await shell('apt-get install -y -qq --no-install-recommends rsyslog rsyslog-openssl')
    expect(installed, installed.said).toMatchObject({ code: 0 })
    writeFileSync(
      join(host.root, 'etc/rsyslog.d/innkeeper.conf'),
      `global(DefaultNetstreamDriver="ossl" DefaultNetstreamDriverCAFile="/etc/ssl/chain.pem"
        DefaultNetstreamDriverCertFile="/etc/ssl/chain.pem" DefaultNetstreamDriverKeyFile="/etc/ssl/key.pem")
      module(load="imtcp" StreamDriver.Name="ossl" StreamDriver.Mode="1" StreamDriver.AuthMode="anon")
      input(type="imtcp" port="6514")
      template(name="text" type="string" string="%msg%\\n")
      if $programname == "innkeeper" then action(type="omfile" file="/var/log/actions.log" template="text")\n`,
    )
    const started = await shell(`systemctl restart rsyslog
      printf 'INNKEEPER_LOG_STREAM=syslog+tls://innkeeper.test:6514\\nINNKEEPER_LOG_STREAM_CA=/etc/ssl/chain.pem\\n' >>/etc/innkeeper/innkeeper.env
      systemctl restart innkeeper-worker`)
    expect(started, started.said).toMatchObject({ code: 0 })
    password = /with (\S+)/.exec((await inside('innkeeper', 'reset-admin')).said)?.[1]
    await until('the stream begins', async () =>
      (
        await inside('sh', '-c', 'cd / && runuser -u postgres -- psql -qAt innkeeper -c "select 1 from log_streams"')
      ).said.includes('1'),
    )
    const signIn = await ask(host, 443, '/api/auth/token', { method: 'POST', body: { user: 'admin', password } })
    const { token } = JSON.parse(signIn.body)
    for (let n = 0; n < 5; n++)
      expect(await ask(host, 443, '/api/operation/test-alert', { method: 'POST', token, body: {} })).toMatchObject({
        status: 201,
      })
    const said = await until('rows at rsyslog', async () => {
      const { said } = await shell('cat /var/log/actions.log 2>/dev/null')
      return said.trim().split('\n').length >= 5 ? said : undefined
    })
    const seals = said
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).seal)
    expect(seals).toEqual(seals.map((_, n) => seals[0] + n))
  })

  test('is an OCI image, too, that starts as somebody who is not root', async () => {
    cpSync(image, join(host.root, 'var/cache/innkeeper.oci.tar'))
    const unpacked =
      await shell(`apt-get update -qq && apt-get install -y -qq --no-install-recommends skopeo umoci && cd /var/cache &&
      skopeo --insecure-policy copy --quiet oci-archive:innkeeper.oci.tar oci:image:latest && umoci unpack --image image:latest bundle`)
    expect(unpacked, unpacked.said).toMatchObject({ code: 0 })
    const { process: asked } = JSON.parse(readFileSync(join(host.root, 'var/cache/bundle/config.json'), 'utf8'))
    expect(asked.user).toMatchObject({ uid: 10001, gid: 10001 })
    const ran =
      await shell(`cd /var/cache && systemd-run --quiet --unit=image env -i ${asked.env.join(' ')} PORT=4700 INNKEEPER_WORKER_PORT=4701 \\
      /usr/sbin/chroot --userspec=10001:10001 /var/cache/bundle/rootfs ${asked.args.join(' ')}`)
    expect(ran, ran.said).toMatchObject({ code: 0 })
    const answers = async () => {
      const ready = await fetch(`http://${host.address}:4700/readyz`).catch(String)
      if (typeof ready !== 'string' && ready.ok) return true
      const { said } = await shell('journalctl --unit=image --no-pager --lines=20')
      throw new Error(`${typeof ready === 'string' ? ready : await ready.text()}\n${said}`)
    }
    await until('the image is ready', answers, 500)
    await shell('systemctl stop image')
  })

  test('has a doctor who says what is wrong and how to mend it', async () => {
    const well = await inside('innkeeper', 'doctor')
    expect(well, well.said).toMatchObject({ code: 0 })
    const ill =
      await shell(`cp /etc/innkeeper/innkeeper.key /root/key && echo the-key-of-another-installation >/etc/innkeeper/innkeeper.key
      innkeeper doctor; code=$?; cp /root/key /etc/innkeeper/innkeeper.key; exit $code`)
    expect(ill.code).toBe(1)
    expect(ill.said).toMatch(/WRONG key .* is not the key of this database/)
  })

  test('is upgraded under requests: two nodes start again one after the other, and no request is lost', async () => {
    await build('0.2.0+2')
    await shell(
      `printf 'PORT=${second}\\nINNKEEPER_HTTP_PORT=${secondHttp}\\nINNKEEPER_AGENT_PORT=${secondAgents}\\n' >/etc/innkeeper/api-2.env`,
    )
    const started = await inside('systemctl', 'start', 'innkeeper-api@2')
    expect(started, started.said).toMatchObject({ code: 0 })
    password = /with (\S+)/.exec((await inside('innkeeper', 'reset-admin')).said)?.[1]
    const signIn = await ask(host, 443, '/api/auth/token', { method: 'POST', body: { user: 'admin', password } })
    const { token } = JSON.parse(signIn.body)

    const pids = (await shell('systemctl show -p MainPID --value innkeeper-api@1 innkeeper-api@2')).said
    send('0.2.0+2')
    let upgrading = true
    const upgrade = inside('dpkg', '--install', '/var/cache/innkeeper.deb').finally(() => {
      upgrading = false
    })
    const answers: number[] = []
    // what a balancer asks
    const isReady = (port: number) =>
      ask(host, port, '/readyz').then(
        ({ status }) => status === 200,
        () => false,
      )
    const people = async (name: string) => {
      for (let n = 0; upgrading; n++) {
        const body = { name: `${name}${n}`, email: `${name}${n}@example.org` }
        const port = (await isReady(443)) ? 443 : second
        const answer = await ask(host, port, '/api/owners', { method: 'POST', token, body })
        answers.push(answer.status)
      }
    }
    await Promise.all([people('anna'), people('boris')])
    const upgraded = await upgrade
    expect(upgraded, upgraded.said).toMatchObject({ code: 0 })
    expect(answers.length).toBeGreaterThan(20)
    expect(new Set(answers)).toEqual(new Set([201]))
    expect((await shell('systemctl show -p MainPID --value innkeeper-api@1 innkeeper-api@2')).said).not.toBe(pids)
    const kept = JSON.parse((await ask(host, 443, '/api/groups/owners', { token })).body)
    expect(kept.total).toBe(answers.length)
    made = kept.total
  })

  test('exchanges its key as the manual says, and a node with the former key says so', async () => {
    const made = await shell('cp /etc/innkeeper/innkeeper.key /root/former && innkeeper new-key /root/new.key')
    expect(made, made.said).toMatchObject({ code: 0 })
    const taken =
      await shell(`install -m 0600 /root/new.key /etc/innkeeper/innkeeper.key && systemctl restart 'innkeeper-*'
      innkeeper new-key && innkeeper doctor`)
    expect(taken, taken.said).toMatchObject({ code: 0 })
    const former = await shell(`install -m 0600 /root/former /etc/innkeeper/innkeeper.key; innkeeper doctor; code=$?
      install -m 0600 /root/new.key /etc/innkeeper/innkeeper.key; exit $code`)
    expect(former.said).toMatch(/WRONG key/)
    expect(former.code).toBe(1)
  })

  test('is removed with everything, and comes back from its backup and key as the manual says', async () => {
    const before = await shell('innkeeper backup /root/all.backup && cp /etc/innkeeper/innkeeper.key /root/kept.key')
    expect(before, before.said).toMatchObject({ code: 0 })
    const gone =
      await shell(`dpkg --purge innkeeper && su postgres -c 'dropdb innkeeper && psql -qc "drop role innkeeper"'
      su postgres -c 'psql -qc "drop role if exists innkeeper_owner"'
      ls /etc/innkeeper /usr/lib/innkeeper /lib/systemd/system/innkeeper-* 2>&1 | grep -v 'No such file'`)
    expect(gone.said).not.toMatch(/error/i)
    const installed = await inside('dpkg', '--install', '/var/cache/innkeeper.deb')
    expect(installed, installed.said).toMatchObject({ code: 0 })
    const words =
      '--database local --name innkeeper.test --certificate /etc/ssl/chain.pem --certificate-key /etc/ssl/key.pem'
    const back = await shell(`install -m 0600 /root/kept.key /etc/innkeeper/innkeeper.key
      innkeeper setup ${words} --restore /root/all.backup`)
    expect(back, back.said).toMatchObject({ code: 0 })
    const well = await inside('innkeeper', 'doctor')
    expect(well, well.said).toMatchObject({ code: 0 })
    const answer = await ask(host, 443, '/api/auth/token', { method: 'POST', body: { user: 'admin', password } })
    expect(answer, answer.body).toMatchObject({ status: 200 })
    const { token } = JSON.parse(answer.body)
    const owners = JSON.parse((await ask(host, 443, '/api/groups/owners', { token })).body)
    expect(owners.total).toBe(made)
  })
})
