import { fileText } from '@innkeeper/contract/desk/trackers/fileText'
import { type Face, MOST_IMPORT_TEXT } from '@innkeeper/contract/desk/trackers/values'
import { Button, FileButton } from '@mantine/core'
import { IconUpload } from '@tabler/icons-react'
import { useState } from 'react'
import { useReason } from '../../kit/access/reasons.ts'
import { toast } from '../../kit/dialogs/toast.ts'
import { lazyDialog } from '../../kit/frame/lazyScreen.tsx'
import { ActButton } from '../../kit/look/ActButton.tsx'
import { apiOf } from './api.ts'

const ImportModal = lazyDialog(() => import('./imports/ImportModal.tsx'))

/** No encoding that is read needs more bytes for that many characters. */
const MOST_BYTES = 4 * MOST_IMPORT_TEXT

/** Imports the CSV file of another tracker, after a dry run that shows what is left out. */
export function ImportButton({ face }: { face: Face }) {
  const reason = useReason()(apiOf(face).import)
  const [file, setFile] = useState<{ name: string; text: string }>()
  const choose = async (chosen: File | null) => {
    if (!chosen) return
    // before the file is read: a large one would stop the page
    if (chosen.size > MOST_BYTES) {
      toast.error(
        `${chosen.name} has ${Math.ceil(chosen.size / 1e6)} MB, more than ${MOST_BYTES / 1e6} MB: import the file in parts`,
      )
      return
    }
    const read = fileText(new Uint8Array(await chosen.arrayBuffer()))
    if ('problem' in read) toast.error(`${chosen.name}: ${read.problem}`)
    else if (read.text.length > MOST_IMPORT_TEXT)
      toast.error(
        `${chosen.name} has ${read.text.length} characters, more than ${MOST_IMPORT_TEXT}: import the file in parts`,
      )
    else setFile({ name: chosen.name, text: read.text })
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
      {file && <ImportModal face={face} file={file} close={() => setFile(undefined)} />}
    </>
  )
}
