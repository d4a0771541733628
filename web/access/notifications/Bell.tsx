import { Button, Group, Popover, Text, UnstyledButton } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconBell } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { ErrorLine } from '../../kit/frame/ErrorLine.tsx'
import { LinkTo } from '../../kit/frame/LinkTo.tsx'
import { notificationsApi } from './api.ts'
import { known, SHOWN } from './arrivals.ts'
import css from './Bell.module.css'
import { Item } from './Item.tsx'
import { useNotificationTexts } from './texts.ts'
import { useRead } from './useRead.ts'
import { badge } from './words.ts'

/** Bell with the number of unread notifications and the newest ones, updated by hints. */
export function Bell() {
  const [opened, { toggle, close }] = useDisclosure()
  const { data, error } = useQuery(notificationsApi.list.query({ itemsPerPage: SHOWN }))
  const { readAll, busy } = useRead()
  const items = data?.items ?? []
  const unread = data?.unread ?? 0
  const [first] = items
  const words = useNotificationTexts()
  useEffect(() => {
    if (data) known(data.items)
  }, [data])
  return (
    <Popover position="bottom-end" width={380} opened={opened} onChange={(now) => now || close()} trapFocus>
      <Popover.Target>
        <UnstyledButton
          className={`${css.bell} thumb`}
          aria-label={unread ? words.unread(badge(unread)) : words.title}
          aria-expanded={opened}
          onClick={toggle}
        >
          <IconBell size={19} stroke={1.7} aria-hidden />
          {unread > 0 && (
            <span className={css.count} aria-hidden>
              {badge(unread)}
            </span>
          )}
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown p={0} aria-label={words.title}>
        <Group justify="space-between" px={14} h={40} className={css.head}>
          <Text fw={600}>{words.title}</Text>
          {first && unread > 0 && (
            <Button size="xs" variant="subtle" color="secondary" loading={busy} onClick={() => void readAll(first)}>
              {words.markAllRead}
            </Button>
          )}
        </Group>
        {error && !data && <ErrorLine error={error} />}
        {data && items.length === 0 && (
          <Text c="dimmed" px={14} py={12}>
            {words.nothingYet}
          </Text>
        )}
        <ul className={css.items}>
          {items.map((item) => (
            <Item key={item._id} item={item} close={close} />
          ))}
        </ul>
        <Group justify="space-between" px={14} h={38} className={css.foot}>
          <LinkTo to="/notifications" onClick={close} fz="xs">
            {words.all}
          </LinkTo>
          <LinkTo to="/profile" onClick={close} fz="xs" c="dimmed">
            {words.mine}
          </LinkTo>
        </Group>
      </Popover.Dropdown>
    </Popover>
  )
}
