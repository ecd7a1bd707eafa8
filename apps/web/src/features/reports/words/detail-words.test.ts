import { expect, test } from 'vitest'
import { nothingAsked, ownQuestion, standardQuestion } from '../reports-question.ts'
import { detailText } from './detail-words.ts'

const own = (subject: string) => ownQuestion({ ...nothingAsked, subject })
const standard = (report: Parameters<typeof standardQuestion>[0]) => standardQuestion(report, nothingAsked)

test.each([
  [own('chapters'), 'suspended', 'Suspended'],
  [own('memberships'), 'suspended', 'Paused'],
  [own('recurringGifts'), 'month', 'Monthly'],
  [own('groupMembers'), '2026', '2026'],
  [standard('pledges-overdue'), '12', '12 days overdue'],
  [standard('donor-retention'), 'kept', 'Gave again'],
  [standard('chapters'), 'training', 'Training'],
  [standard('chapters'), 'Treasurer', 'Treasurer'],
  [standard('attendance'), '100', '100'],
] as const)('a detail is told in the words of its question', (question, detail, text) => {
  expect(detailText(question, detail)).toBe(text)
})
