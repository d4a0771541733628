import { useNavigate } from '@tanstack/react-router'
import { readAgain } from '../../../kit/api/readAgain.ts'
import { toast } from '../../../kit/dialogs/toast.ts'

/** The way back to the list of a setting, and `onDone` of its form: a message, and the list with the saved row. */
export function useAfterSaving(list: string, verb: 'created' | 'saved', hint?: string) {
  const navigate = useNavigate()
  const toList = () => void navigate({ to: list })
  const onDone = ({ name }: { name: string }) => {
    void readAgain(['qc'])
    toast.success(`${name} is ${verb}`, hint)
    toList()
  }
  return { toList, onDone }
}
