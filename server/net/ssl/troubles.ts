import { sql } from 'drizzle-orm'
import { rows } from '../../kit/db/db.ts'
import type { TroubleSource } from '../../kit/watch/trouble.ts'

const SOON_DAYS = 7

/** Certificates that end soon although renewals begin weeks before, and the one of Innkeeper's own name. */
export const certificateTroubles: readonly TroubleSource[] = [
  {
    prefix: 'certificates ',
    async find({ db }) {
      const [found] = await rows<{ n: number; first: string }>(
        db,
        sql`select count(*)::int as n, (array_agg(domain order by not_after))[1] as first from (
          select coalesce(w.domain, '') as domain, c.not_after from certificates c left join websites w on w.website_id = c.website_id
          where c.deleted_at is null and coalesce(c.not_after, 'infinity') < now() + make_interval(days => ${SOON_DAYS}) limit 1000) s`,
      )
      if (!found?.n) return []
      const detail = `${found.n}${found.first ? `, first ${found.first}` : ''}. Their renewals failed, or nobody renews them.`
      const title = `Certificates of websites end within ${SOON_DAYS} days`
      return [{ key: 'certificates end', title, detail, level: 'warning', link: '/ssl' }]
    },
  },
  {
    prefix: 'own certificate',
    async find({ db, settings: { publicHost } }) {
      const [found] = await rows<{ name: string; failure: string | null }>(
        db,
        sql`select name, failure from own_certificates where name = ${publicHost ?? ''}
          and (failure is not null or not_after < now() + make_interval(days => ${SOON_DAYS}))`,
      )
      if (!found) return []
      const title = `The certificate of ${found.name}, Innkeeper’s own name, is not renewed`
      return [
        { key: 'own certificate', title, detail: found.failure ?? 'It ends soon.', level: 'error', link: '/operation' },
      ]
    },
  },
]
