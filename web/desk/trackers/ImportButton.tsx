import { MOST_IMPORT_TEXT, type Tracker } from '@innkeeper/contract/desk/trackers/values'
import { Button, FileButton } from '@mantine/core'
import { IconUpload } from '@tabler/icons-react'
import { useState } from 'react'
import { useReason } from '../../kit/access/reasons.ts'
import { chosenText } from '../../kit/form/chosenText.ts'
import { lazyDialog } from '../../kit/frame/lazyScreen.tsx'
import { ActButton } from '../../kit/look/ActButton.tsx'
import { apiOf } from './api.ts'

const ImportModal = lazyDialog(() => import('./imports/ImportModal.tsx'))

/** Imports the CSV file of another tracker, after a dry run that shows what is left out. */
export function ImportButton({ tracker }: { tracker: Tracker }) {
  const reason = useReason()(apiOf(tracker).import)
  const [file, setFile] = useState<{ name: string; text: string }>()
  const choose = async (chosen: File | null) => {
    if (!chosen) return
    const text = await chosenText(chosen, MOST_IMPORT_TEXT)
    if (text !== undefined) setFile({ name: chosen.name, text })
  }
  if (reason)
    return (
      <ActButton variant="default" reason={reason} visibleFrom="sm">
        Import
      </ActButton>
    )
  return (
    <>
      <FileButton accept=".csv,.tsv,text/csv,text/tab-separated-values,text/plain" onChange={(one) => void choose(one)}>
        {(props) => (
          <Button {...props} variant="default" leftSection={<IconUpload size={15} />} visibleFrom="sm">
            Import
          </Button>
        )}
      </FileButton>
      {file && <ImportModal tracker={tracker} file={file} close={() => setFile(undefined)} />}
    </>
  )
}
