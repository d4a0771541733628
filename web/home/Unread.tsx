import { useQuery } from '@tanstack/react-query'
import { ErrorLine } from '../kit/frame/ErrorLine.tsx'
import { LinkTo } from '../kit/frame/LinkTo.tsx'
import { Section } from '../kit/frame/Section.tsx'
import { notificationsApi } from '../notifications/api.ts'
import { Item } from '../notifications/Item.tsx'
import { badge } from '../notifications/words.ts'
import css from './Home.module.css'

const SHOWN = 5

/** Unread notifications; renders nothing if all are read. */
export function Unread() {
  const { data, error } = useQuery(notificationsApi.list.query({ unread: 'true', itemsPerPage: SHOWN }))
  if (error && !data)
    return (
      <Section title="Unread" pad={false}>
        <ErrorLine error={error} />
      </Section>
    )
  if (!data?.items.length) return null
  return (
    <Section
      title="Unread"
      hint={badge(data.unread)}
      pad={false}
      aside={
        <LinkTo to="/notifications" fz="xs">
          All notifications
        </LinkTo>
      }
    >
      <ul className={css.unread}>
        {data.items.map((item) => (
          <Item key={item._id} item={item} close={() => undefined} />
        ))}
      </ul>
    </Section>
  )
}
