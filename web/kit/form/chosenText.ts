import { fileText } from '@innkeeper/contract/kit/fileText'
import { toast } from '../dialogs/toast.ts'

/** No encoding that is read needs more bytes for a character. */
const BYTES_EACH = 4

/** The text of a file that a person chose; otherwise says why it cannot be read, and is undefined. */
export async function chosenText(file: File, mostCharacters: number): Promise<string | undefined> {
  const refuse = (why: string) => toast.error(`${file.name}${why}`)
  // before the file is read: a large one would stop the page
  if (file.size > BYTES_EACH * mostCharacters) {
    const [has, most] = [Math.ceil(file.size / 1e6), (BYTES_EACH * mostCharacters) / 1e6]
    refuse(` has ${has} MB, more than ${most} MB: import the file in parts`)
    return undefined
  }
  const read = fileText(new Uint8Array(await file.arrayBuffer()))
  if ('problem' in read) refuse(`: ${read.problem}`)
  else if (read.text.length > mostCharacters)
    refuse(` has ${read.text.length} characters, more than ${mostCharacters}: import the file in parts`)
  else return read.text
  return undefined
}
