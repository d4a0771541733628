import { KEPT_DAYS, levels } from '@innkeeper/contract/access/notifications'
import { Text } from '@mantine/core'
import { IconChecks } from '@tabler/icons-react'
import { useMemo } from 'react'
import { LinkTo } from '../../kit/frame/LinkTo.tsx'
import { Dot } from '../../kit/frame/PageHeader.tsx'
import { Screen } from '../../kit/frame/Screen.tsx'
import { ListTable } from '../../kit/list/ListTable.tsx'
import { listCount } from '../../kit/list/listCount.ts'
import { useList } from '../../kit/list/useList.ts'
import { ActButton } from '../../kit/look/ActButton.tsx'
import { Acts, Bulk } from './Acts.tsx'
import { notificationsApi } from './api.ts'
import { columnsIn, NotificationCard, type Row, toRow } from './columns.tsx'
import { useLevelTexts, useNotificationTexts, useReasonTexts } from './texts.ts'
import { useRead } from './useRead.ts'

const filtersOf = (words: ReturnType<typeof useNotificationTexts>) => [
  {
    key: 'unread',
    label: words.filterRead,
    single: true,
    options: [
      { value: 'true', label: words.notRead },
      { value: 'false', label: words.read },
    ],
  },
  {
    key: 'reason',
    label: words.filterReason,
    single: true,
    options: Object.entries(useReasonTexts.now()).map(([value, label]) => ({ value, label })),
  },
  {
    key: 'level',
    label: words.filterLevel,
    single: true,
    options: levels.map((value) => ({ value, label: useLevelTexts.now()[value] })),
  },
]

/** All notifications of the person, newest first. */
export default function NotificationsScreen() {
  const found = useList(notificationsApi.list, { filters: ['search', 'unread', 'reason', 'level'] })
  const list = {
    ...found,
    rows: found.rows.map(toRow),
    fetchPage: async (page: number, size: number, after?: string) => {
      const answer = await found.fetchPage(page, size, after)
      return { ...answer, rows: answer.rows.map(toRow) }
    },
  }
  const { readAll, busy } = useRead()
  const words = useNotificationTexts()
  const columns = useMemo(() => columnsIn(words), [words])
  const [first] = list.rows
  const plain = list.page === 1 && Object.keys(list.filters).length === 0
  return (
    <Screen
      title={words.title}
      scroll={false}
      count={listCount(list)}
      meta={
        <>
          <Text fz="xs">{words.kept(KEPT_DAYS)}</Text>
          <Dot />
          <LinkTo to="/profile" fz="xs">
            {words.choose}
          </LinkTo>
        </>
      }
      actions={
        <ActButton
          variant="default"
          leftSection={<IconChecks size={15} />}
          loading={busy}
          reason={plain && first ? undefined : words.notAll}
          onClick={() => first && void readAll(first)}
        >
          {words.markAllRead}
        </ActButton>
      }
    >
      <ListTable<Row>
        name="notifications"
        noun={[words.one, words.many]}
        list={list}
        columns={columns}
        card={(row) => <NotificationCard row={row} />}
        label={({ title }) => title}
        menu={(row) => <Acts row={row} />}
        bulk={(rows, clear) => <Bulk rows={rows} clear={clear} />}
        search={{ key: 'search', placeholder: words.words }}
        filters={filtersOf(words)}
        empty={{
          title: words.emptyTitle,
          text: words.emptyText,
          tag: 'NT',
        }}
      />
    </Screen>
  )
}
