import { MovesList } from '../MovesList.tsx'

export default function GroupMovesScreen() {
  return <MovesList name="group-migrations" noun={['group migration', 'group migrations']} only="group" />
}
