import { Screen } from '../kit/Screen.tsx'

export default function HomeScreen() {
  return <Screen>{null}</Screen>
}
