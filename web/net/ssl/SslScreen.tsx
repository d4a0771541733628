import { certificateStatus } from '@innkeeper/contract/net/ssl/shapes'
import { Screen } from '../../kit/frame/Screen.tsx'
import { CreateButton } from '../../kit/list/CreateButton.tsx'
import { ListTable } from '../../kit/list/ListTable.tsx'
import { listCount } from '../../kit/list/listCount.ts'
import { useList } from '../../kit/list/useList.ts'
import { stateOf } from '../../kit/look/stateWords.ts'
import { sslApi } from './api.ts'
import { CertificateActs } from './CertificateActs.tsx'
import { CertificateCard, columns } from './columns.tsx'
import { kindOptions, someOf } from './words.ts'

const states = certificateStatus.options.map((value) => ({ value, label: stateOf(value).word }))
const soon = [7, 14, 30, 90].map((days) => ({ value: String(days), label: `${days} days` }))

export default function SslScreen() {
  const list = useList(sslApi.list, {
    filters: ['search', 'kind', 'status', 'within', 'used'],
    initial: { sort: 'notAfter', direction: 'ASC' },
  })
  const create = (
    <CreateButton call={sslApi.letsEncrypt} to="/ssl/create">
      Add certificate
    </CreateButton>
  )
  return (
    <Screen scroll={false} count={listCount(list)} actions={create}>
      <ListTable
        name="certificates"
        noun={['certificate', 'certificates']}
        list={list}
        columns={columns}
        card={(certificate) => <CertificateCard certificate={certificate} />}
        label={({ names, domain }) => (names.length ? someOf(names) : domain)}
        open={({ id }) => `/ssl/${id}`}
        menu={(certificate) => <CertificateActs certificate={certificate} />}
        search={{ key: 'search', placeholder: 'Name' }}
        filters={[
          { key: 'status', label: 'Status', options: states },
          { key: 'kind', label: 'Kind', options: kindOptions },
          { key: 'within', label: 'Ends within', single: true, options: soon },
          {
            key: 'used',
            label: 'Used',
            single: true,
            options: [
              { value: 'true', label: 'By a website' },
              { value: 'false', label: 'By nobody' },
            ],
          },
        ]}
        empty={{
          title: 'No certificate yet',
          text: 'A certificate lets visitors use https. Let’s Encrypt issues one free of charge, and it renews itself.',
          action: create,
          tag: 'SSL',
        }}
      />
    </Screen>
  )
}
