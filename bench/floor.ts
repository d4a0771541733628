import { createServer } from 'node:http'
import pg from 'pg'

/** The least that could answer: node:http and pg, the same rows, no session, no checks, no log. Port and database by argument. */
const pool = new pg.Pool({ connectionString: process.argv[3], max: 16 })
const columns = `w.website_id as id, w.version, w.created_at as "createdAt", w.updated_at as "updatedAt", w.domain, w.kind, w.environment, w.status,
  w.owner_id as "ownerId", o.name as "ownerName", w.server_id as "serverId", s.name as "serverName", w.plan_id as "planId", p.name as "planName",
  w.system_user_id as "systemUserId", u.username, w.group_id as "groupId", w.parent_id as "parentId", w.document_root as "documentRoot",
  w.php_version as "phpVersion", w.redis_cache, w.maintenance, w.ssl, w.cdn, w.backups, w.workflow_id as "workflowId"`
const joined = `from websites w join owners o using (owner_id) join servers s using (server_id) join plans p on p.plan_id = w.plan_id
  join system_users u using (system_user_id) where w.deleted_at is null`

createServer(async (request, answer) => {
  const url = new URL(request.url ?? '/', 'http://localhost')
  const id = /^\/api\/websites\/(\d+)$/.exec(url.pathname)?.[1]
  const status = url.searchParams.get('status')
  const domain = url.searchParams.get('domain')
  const server = url.searchParams.get('server')
  const text = id
    ? { name: 'one', text: `select ${columns} ${joined} and w.website_id = $1`, values: [id] }
    : domain
      ? {
          text: `select ${columns} ${joined} and w.domain like $1 order by w.created_at desc limit 50`,
          values: [`%${domain}%`],
        }
      : {
          name: 'list',
          text: `select ${columns} ${joined} and w.server_id = $1 and w.status = $2 order by w.created_at desc, w.website_id desc limit 50`,
          values: [server, status],
        }
  const { rows } = await pool.query(text)
  answer.setHeader('content-type', 'application/json').end(JSON.stringify(id ? rows[0] : { Websites: rows }))
}).listen(Number(process.argv[2]), '127.0.0.1', () => console.log('ready'))
