import { Text } from '@mantine/core'
import { Screen } from '../../kit/frame/Screen.tsx'
import { ListTable } from '../../kit/list/ListTable.tsx'
import { listCount } from '../../kit/list/listCount.ts'
import { useList } from '../../kit/list/useList.ts'
import { Views } from '../../kit/list/Views.tsx'
import { logApi } from './api.ts'
import { ChainAlert, ChainLine, useChain, VerifyButton } from './ChainLine.tsx'
import { columns, LogCard } from './columns.tsx'
import { keys, useFilters, views } from './filters.ts'
import css from './log.module.css'
import { NewLogRows } from './NewLogRows.tsx'
import { actOf, objectOf } from './words.ts'

/** The action log. All filters are in the address, so that people can share a search. */
export default function LogScreen() {
  const list = useList(logApi.list, { filters: keys, still: true })
  const filters = useFilters()
  const { data: chain, error } = useChain()
  const file = async () => {
    const { ticket } = await logApi.ticket()
    const set = Object.entries(list.filters).map(([key, values]): [string, string] => [key, values.join(',')])
    return `/api/logs/csv?${new URLSearchParams([...set, ['ticket', ticket]])}`
  }
  return (
    <Screen
      scroll={false}
      count={listCount(list)}
      meta={
        <div className={css.chain}>
          {chain && <ChainLine chain={chain} />}
          {!chain && error && <Text>The chain could not be read. {error.message}</Text>}
        </div>
      }
      actions={<VerifyButton chain={chain} />}
      tabs={<Views name="action-logs" list={list} views={views} />}
    >
      {chain?.check && <ChainAlert check={chain.check} />}
      <ListTable
        name="action-logs"
        noun={['row', 'rows']}
        list={list}
        columns={columns}
        card={(row) => <LogCard row={row} />}
        label={(row) => [actOf(row), objectOf(row), 'by', row.staffName].filter(Boolean).join(' ')}
        open={({ id }) => `/action-logs/${id}`}
        search={{ key: 'text', placeholder: 'Name, or number of a request' }}
        filters={filters}
        file={file}
        notice={<NewLogRows list={list} />}
        empty={{
          title: 'Nothing was done yet',
          text: 'Every change and every refused attempt is listed here for ever.',
          tag: 'AL',
        }}
      />
    </Screen>
  )
}
