import type { Database } from '@innkeeper/contract/hosting/databases/calls'
import { Stack, Text, TextInput } from '@mantine/core'
import { SourceEnd, SourceFields, useSource } from '../../../desk/files/uploads/Source.tsx'
import { readAgain } from '../../../kit/api/readAgain.ts'
import { Dialog } from '../../../kit/dialogs/Dialog.tsx'
import { databasesApi } from '../api.ts'

const places = [
  { value: 'computer', label: 'This computer' },
  { value: 'files', label: 'File manager' },
  { value: 'place', label: 'On the server' },
] as const

/** Sends a dump to the server of a database, which reads it before anybody can import it. */
export default function NewImport({ database, close }: { database: Database; close: () => void }) {
  const { id, name, domain } = database
  const source = useSource('computer')
  const { place, setPlace, busy, beside, wanting } = source
  const go = () =>
    source.go(async ({ fileId, place: path }) => {
      await databasesApi.lookAtDump({ id, fileId, path })
      void readAgain(['databases', 'workflows', 'files'])
      close()
    })
  return (
    <Dialog opened onClose={close} title={`Import a dump into ${name}`} size={560}>
      <Stack gap={16}>
        <Text c="dimmed" fz="xs">
          The dump is read first: you see what the import would rewrite, leave out or refuse. {name} changes only after
          you start the import, and a website that no longer answers afterwards is rolled back by itself.
        </Text>
        <SourceFields source={source} noun="dump" endings=".sql, .sql.gz or .sql.zst" places={places}>
          <TextInput
            label="Path"
            description={`Counts from the folder of ${domain}. A whole path such as /home/account/shop.sql.gz works too; the account has to be able to read the file`}
            placeholder="backup/shop.sql.gz"
            autoComplete="off"
            spellCheck={false}
            value={place}
            disabled={busy}
            onChange={({ currentTarget }) => setPlace(currentTarget.value)}
            error={beside('path')}
          />
        </SourceFields>
        <SourceEnd
          source={source}
          fields={['fileId', 'path']}
          verb="Read dump"
          wanting={wanting ? 'Choose a dump first.' : undefined}
          onGo={() => void go()}
          close={close}
        />
      </Stack>
    </Dialog>
  )
}
