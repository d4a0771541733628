import { type ApiToken, tokenStates } from '@innkeeper/contract/access/apiTokens'
import { useState } from 'react'
import { Screen } from '../../kit/frame/Screen.tsx'
import { CreateButton } from '../../kit/list/CreateButton.tsx'
import { ListTable } from '../../kit/list/ListTable.tsx'
import { listCount } from '../../kit/list/listCount.ts'
import { useList } from '../../kit/list/useList.ts'
import { ApiTokenActs } from './ApiTokenActs.tsx'
import { apiTokensApi } from './api.ts'
import { ApiTokenCard, columns } from './columns.tsx'
import { RotateModal } from './RotateModal.tsx'

export default function ApiTokensScreen() {
  const list = useList(apiTokensApi.list, { filters: ['search', 'state', 'kind', 'user', 'scope'] })
  const [rotating, rotate] = useState<ApiToken>()
  const create = (
    <CreateButton call={apiTokensApi.create} to="/tokens/create">
      Make API token
    </CreateButton>
  )
  return (
    <Screen scroll={false} count={listCount(list)} actions={create}>
      <ListTable
        name="api-tokens"
        noun={['token', 'tokens']}
        list={list}
        columns={columns}
        card={(token) => <ApiTokenCard token={token} />}
        label={({ name }) => name}
        menu={(token) => <ApiTokenActs token={token} rotate={rotate} />}
        search={{ key: 'search', placeholder: 'Name' }}
        filters={[
          {
            key: 'state',
            label: 'State',
            single: true,
            options: tokenStates.map((value) => ({ value, label: value })),
          },
          {
            key: 'kind',
            label: 'Of',
            single: true,
            options: [
              { value: 'person', label: 'People' },
              { value: 'service', label: 'Service accounts' },
            ],
          },
        ]}
        empty={{
          title: 'No token yet',
          text: 'A program uses a token instead of a password: with the permissions that you choose, until a day that you choose.',
          action: create,
          tag: 'TK',
        }}
      />
      {rotating && <RotateModal token={rotating} close={() => rotate(undefined)} />}
    </Screen>
  )
}
