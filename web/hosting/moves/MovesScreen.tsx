import { MovesList } from './MovesList.tsx'

export default function MovesScreen() {
  return <MovesList name="migrations" noun={['migration', 'migrations']} />
}
