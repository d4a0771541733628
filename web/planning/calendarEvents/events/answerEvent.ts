import { readAgain } from '../../../kit/api/readAgain.ts'
import { toast } from '../../../kit/dialogs/toast.ts'
import { eventsApi } from '../api.ts'
import { calendarEventTexts, rsvpTexts } from '../texts.ts'

/** Answers an invitation and shows the result, which may be a place on the waiting list. */
export async function answerEvent(eventId: number, rsvp: 'accepted' | 'tentative' | 'declined'): Promise<void> {
  const { rsvp: said, waitingPlace } = await eventsApi.signUp({ eventId, rsvp })
  void readAgain(['calendarEvents'])
  toast.success(rsvpTexts()[said], waitingPlace ? calendarEventTexts().waitingPlace(waitingPlace) : undefined)
}
