export { JoinsAndLeavesChart, MembersOverTimeChart, membersByMonth } from './growth-charts.tsx'
export { Subtabs } from './chapter-subtabs.tsx'
