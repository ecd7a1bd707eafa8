import type { Permission } from '@guildhall/contract/permissions'
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { mayInChapter } from '../../../platform/lists/json-refs.ts'
import { mayWith } from '../../../platform/lists/people-rights.ts'
import { maySeeContact } from '../../people/people.sync.public.ts'

// Values of people that connections hold are shown by the rights over the person: `p` is the person (of a left join: none yet), `c` the connection.

const inChapter = (permission: Permission) => mayInChapter(permission, sql`c.chapter_id`)
/** Over the person; of who is none of ours yet, in the chapter of the connection. */
const held = (permission: Permission) => sql`case when p.id is null then ${inChapter(permission)} else ${mayWith(permission)} end`
const contact = sql`case when p.id is null then ${inChapter('people.contact')} else ${maySeeContact} end`

/** Whether the caller sees a field, by its key as connections have it. */
export const seesField = (key: RawBuilder<string>): RawBuilder<boolean> => sql`case
  when ${key} in ('givenName', 'familyName', 'preferredName', 'fullName', 'lifecycle', 'memberNo') then true
  when ${key} = 'birthDate' then ${held('people.sensitive')}
  when ${key} like 'field:%' then coalesce((select case when d.audience = 'everyone' then true when d.sensitive then ${held('people.sensitive')} else ${held('people.contact')} end
    from app.fields d where d.org_id = c.org_id and d.record_type = 'people' and d.key = substr(${key}, 7)), false)
  else ${contact} end`
