import { Button } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { getRouteApi } from '@tanstack/react-router'
import { IconDownload, IconPlus, IconUsers } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import type { Event, EventCounts } from '@guildhall/contract/features/events'
import { PersonLink } from '../../../platform/records/record-links.tsx'
import { useMoney } from '../../../ui/display/money.tsx'
import { useFormats } from '../../../ui/display/dates.tsx'
import { emptyFilter } from '../../../ui/filter/filter.ts'
import type { FilterField } from '../../../ui/filter/filter.ts'
import type { TableColumn } from '../../../ui/list/data-table.tsx'
import { useListView } from '../../lists/lists-public.tsx'
import type { BuiltInView } from '../../lists/lists-public.tsx'
import { RecordTable } from '../../lists/record-list-public.tsx'
import { useEventTimes } from '../event-times.ts'
import { optionsOf, registrationWords } from '../events-words.tsx'
import { useRegistrationBulk } from './attendee-bulk.tsx'
import { AddAttendeeDialog } from './attendee-dialogs.tsx'
import { AttendeePanel } from './attendee-panel.tsx'
import { useRegistrationList } from './manage-api.ts'
import type { Registration } from './manage-api.ts'
import { answerText, invoiceWords, RegistrationState, sourceWords } from './manage-words.tsx'
import classes from './manage.module.css'

const here = getRouteApi('/signed-in/event/$eventId')

const usual = {
  q: '',
  filter: emptyFilter,
  sort: 'name',
  columns: ['name', 'status', 'ticketType', 'price', 'answers', 'createdAt', 'checkedInAt'],
  layout: 'table' as const,
}

/** Who comes, wants to come or came. */
export function Attendees({ event }: { event: Event }) {
  const search = here.useSearch()
  const navigate = here.useNavigate()
  const [isNew, setIsNew] = useState(false)
  const [exporting, setExporting] = useState(false)
  const within = useMemo(() => [{ or: [{ field: 'event', op: 'is' as const, value: event.id }] }], [event.id])
  const view = useListView({
    list: 'registrations',
    builtIn: useBuiltIn(event),
    usual,
    search,
    onSearch: (next, { replace }) => void navigate({ search: (before) => ({ ...before, ...next }), replace }),
  })
  const open = (registration: string | undefined) => void navigate({ search: (before) => ({ ...before, registration }) })
  const mayAdd = event.may.copy && event.status === 'published'
  return (
    <div className={classes['beside']}>
      <div className={classes['list']}>
        <RecordTable
          list="registrations"
          exporting={exporting}
          onExporting={setExporting}
          exportColumns={(shown) => ['name', 'email', ...shown.filter((id) => id !== 'name').map(exported)]}
          view={view}
          records={useRegistrationList(event.id, view.look, view.ready)}
          within={within}
          columns={useColumns(event)}
          fields={useFields(event)}
          nameColumn="name"
          icon={IconUsers}
          words={{
            title: t`Attendees`,
            search: t`Search by name or email`,
            noMatch: t`No registration matches`,
            none: t`No registrations yet`,
            about: t`Everybody who registers is listed here.`,
            failed: t`The registrations could not be loaded`,
            create: t`Register someone`,
          }}
          onOpen={({ id }) => open(id)}
          activeId={search.registration}
          onNew={mayAdd ? () => setIsNew(true) : undefined}
          renderCard={(registration) => <AttendeeCard registration={registration} />}
          bulk={useRegistrationBulk(event)}
          actions={
            <>
              <Button
                variant="default"
                leftSection={<IconDownload size={16} stroke={1.5} aria-hidden />}
                onClick={() => setExporting(true)}
              >
                <Trans>Export</Trans>
              </Button>
              {mayAdd && (
                <Button leftSection={<IconPlus size={16} stroke={1.5} aria-hidden />} onClick={() => setIsNew(true)}>
                  <Trans>Register someone</Trans>
                </Button>
              )}
            </>
          }
        />
      </div>
      {search.registration && <AttendeePanel event={event} registrationId={search.registration} onClose={() => open(undefined)} />}
      <AddAttendeeDialog event={event} opened={isNew} onClose={() => setIsNew(false)} onDone={({ id }) => open(id)} />
    </div>
  )
}

/** What the columns of a file are called, where the list calls them otherwise. */
const exported = (id: string) => (id === 'ticketType' ? 'ticket' : id)

const statusIs = (...value: Registration['status'][]) => ({ filter: { and: [{ or: [{ field: 'status', op: 'in' as const, value }] }] } })
const flagIs = (field: string) => ({ filter: { and: [{ or: [{ field, op: 'is' as const, value: true }] }] } })

function useBuiltIn({ counts, endsAt }: Event) {
  const { number } = useFormats()
  const isOver = new Date(endsAt) <= new Date()
  return useMemo((): [BuiltInView, ...BuiltInView[]] => {
    const label = (words: string, ...keys: (keyof EventCounts)[]) => {
      const sum = keys.reduce((so, key) => so + (counts?.[key] ?? 0), 0)
      return sum > 0 ? `${words} (${number(sum)})` : words
    }
    return [
      { id: 'all', label: t`All`, spec: {} },
      { id: 'going', label: label(t`Going`, 'confirmed', 'checkedIn'), spec: statusIs('confirmed', 'checked_in') },
      {
        id: 'approval',
        label: label(t`Awaiting approval`, 'pendingApproval'),
        spec: { ...statusIs('pending_approval'), sort: 'createdAt' },
      },
      { id: 'payment', label: label(t`Awaiting payment`, 'pendingPayment'), spec: { ...statusIs('pending_payment'), sort: 'createdAt' } },
      {
        id: 'waiting',
        label: label(t`Waiting list`, 'waiting', 'offered'),
        spec: { ...statusIs('waitlisted', 'offered'), sort: 'waiting' },
      },
      { id: 'checked-in', label: label(t`Checked in`, 'checkedIn'), spec: { ...statusIs('checked_in'), sort: '-checkedInAt' } },
      ...(isOver ? [{ id: 'no-shows', label: label(t`No-shows`, 'confirmed'), spec: flagIs('noShow') }] : []),
      { id: 'cancelled', label: label(t`Cancelled`, 'cancelled'), spec: statusIs('cancelled', 'rejected') },
    ]
  }, [counts, isOver, number])
}

function useColumns({ timezone }: Event): readonly TableColumn<Registration>[] {
  const money = useMoney()
  const { momentIn } = useFormats()
  const times = useEventTimes()
  return useMemo(
    () => [
      {
        id: 'name',
        label: t`Name`,
        width: 220,
        sortable: true,
        cell: ({ person, name, hostId }) => (
          <span>
            {person ? <PersonLink person={person} /> : name}
            {hostId && <span className={classes['dim']}> · {t`guest`}</span>}
          </span>
        ),
      },
      { id: 'status', label: t`Status`, width: 160, cell: (registration) => <RegistrationState registration={registration} /> },
      { id: 'ticketType', label: t`Ticket`, width: 140, priority: 2, cell: ({ ticketType }) => ticketType?.name },
      {
        id: 'price',
        label: t`Price`,
        width: 150,
        priority: 2,
        cell: ({ price, invoice }) =>
          price.amount > 0 && (
            <span className={classes['tabular']}>
              {money(price.amount, price.currency)}
              {invoice && <span className={classes['dim']}> · {invoiceWords(invoice.state)}</span>}
            </span>
          ),
      },
      {
        id: 'answers',
        label: t`Answers`,
        width: 240,
        priority: 3,
        cell: ({ answers }) => answers.map(answerText).filter(Boolean).join(' · '),
      },
      {
        id: 'createdAt',
        label: t`Registered`,
        width: 170,
        priority: 3,
        sortable: true,
        cell: ({ createdAt }) => momentIn(timezone, new Date(createdAt)),
      },
      {
        id: 'checkedInAt',
        label: t`Checked in`,
        width: 120,
        priority: 2,
        sortable: true,
        cell: ({ checkedInAt }) => checkedInAt && times.clockIn(timezone, checkedInAt),
      },
      { id: 'source', label: t`Source`, width: 190, priority: 3, cell: ({ source }) => sourceWords()[source] },
      {
        id: 'waiting',
        label: t`Place on the waiting list`,
        width: 170,
        align: 'end',
        priority: 3,
        sortable: true,
        cell: ({ waiting }) => waiting && t`${waiting.position} of ${waiting.of}`,
      },
    ],
    [money, momentIn, times, timezone],
  )
}

function useFields({ ticketTypes, questions }: Event): readonly FilterField[] {
  const choices = useMemo(() => answerOptions(questions), [questions])
  return useMemo(
    () => [
      { id: 'status', label: t`Status`, kind: 'choice', ops: ['in', 'notIn'], options: optionsOf(registrationWords()) },
      {
        id: 'ticketType',
        label: t`Ticket`,
        kind: 'choice',
        ops: ['in', 'notIn'],
        options: ticketTypes.map(({ id, name }) => ({ value: id, label: name })),
      },
      { id: 'source', label: t`Source`, kind: 'choice', ops: ['in', 'notIn'], options: optionsOf(sourceWords()) },
      { id: 'live', label: t`Not cancelled`, kind: 'yesNo' },
      { id: 'noShow', label: t`No-show`, kind: 'yesNo' },
      { id: 'paid', label: t`Paid`, kind: 'yesNo' },
      { id: 'owing', label: t`Not paid`, kind: 'yesNo' },
      { id: 'guest', label: t`Guest of somebody`, kind: 'yesNo' },
      { id: 'hadSeat', label: t`Had a seat`, kind: 'yesNo' },
      { id: 'firstTime', label: t`First-time attendee`, kind: 'yesNo' },
      { id: 'newMember', label: t`Joined within 30 days`, kind: 'yesNo' },
      { id: 'waitingList', label: t`Waiting list`, kind: 'choice', ops: ['in'], options: waitingListOptions() },
      ...(choices.length > 0 ? [{ id: 'answer', label: t`Answer`, kind: 'choice' as const, ops: ['in' as const], options: choices }] : []),
      { id: 'createdAt', label: t`Registered`, kind: 'date' },
      { id: 'checkedInAt', label: t`Checked in`, kind: 'date' },
    ],
    [choices, ticketTypes],
  )
}

const waitingListOptions = () => [
  { value: 'joined', label: t`Joined the list` },
  { value: 'offered', label: t`Seat offered` },
  { value: 'accepted', label: t`Offer accepted` },
  { value: 'declined', label: t`Offer declined` },
  { value: 'expired', label: t`Offer expired` },
  { value: 'left', label: t`Left the list` },
]

/** What was chosen, of questions that offer a choice. */
const answerOptions = (questions: Event['questions']) =>
  questions.flatMap(({ id, text, kind, options }) => {
    const chosen =
      kind === 'flag'
        ? [
            { value: 'true', label: t`Yes` },
            { value: 'false', label: t`No` },
          ]
        : kind === 'choice' || kind === 'choices'
          ? options.map((value) => ({ value, label: value }))
          : []
    return chosen.map(({ value, label }) => ({ value: `${id}=${value}`, label: `${text} ${label}` }))
  })

const AttendeeCard = ({ registration }: { registration: Registration }) => (
  <div className={classes['card']}>
    <span className={classes['cardLine']}>
      <strong>{registration.name}</strong>
      <RegistrationState registration={registration} />
    </span>
    <span className={classes['dim']}>{[registration.ticketType?.name, registration.email].filter(Boolean).join(' · ')}</span>
  </div>
)
