import { Anchor } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { LinkTo } from '../../kit/frame/LinkTo.tsx'
import { Block } from '../../kit/home/Block.tsx'
import { notificationsApi } from './api.ts'
import css from './Bell.module.css'
import { Item } from './Item.tsx'
import { useNotificationTexts } from './texts.ts'
import { useRead } from './useRead.ts'
import { badge } from './words.ts'

const SHOWN = 20

/** Unread notifications, the newest first. */
export default function UnreadBlock() {
  const { data, error } = useQuery(notificationsApi.list.query({ unread: 'true', itemsPerPage: SHOWN }))
  const { busy, readAll } = useRead()
  const words = useNotificationTexts()
  const newest = data?.items[0]
  const items = data?.items.map((item) => <Item key={item._id} item={item} close={() => undefined} dismiss />)
  return (
    <Block
      hint={data?.unread ? badge(data.unread) : undefined}
      all={
        <>
          {newest && (
            <Anchor
              component="button"
              type="button"
              fz="xs"
              disabled={busy}
              className="thumb"
              visibleFrom="sm"
              onClick={() => void readAll(newest)}
            >
              {words.markAllRead}
            </Anchor>
          )}
          <LinkTo to="/notifications" fz="xs">
            {words.all}
          </LinkTo>
        </>
      }
      error={error}
      rows={
        items && items.length > 0
          ? [
              <ul key="unread" className={css.unread}>
                {items}
              </ul>,
            ]
          : items
      }
      empty={words.blockEmpty}
    />
  )
}
