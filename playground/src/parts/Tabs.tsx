import type { ComponentChildren } from "preact";

export interface Tab {
  id: string;
  title: ComponentChildren;
}

/** Tabs as the ARIA patterns describe them: one stop for Tab, arrows between tabs. */
export function Tabs({ label, tabs, chosen, panel, onChoose }: {
  label: string;
  tabs: Tab[];
  chosen: string;
  /** The id of the panel that the tabs control. */
  panel: string;
  onChoose(id: string): void;
}) {
  const onKeyDown = (event: KeyboardEvent) => {
    const at = tabs.findIndex((tab) => tab.id === chosen);
    const steps: Record<string, number> = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 };
    const next = steps[event.key];
    if (next === undefined) return;
    event.preventDefault();
    const tab = tabs[(next + tabs.length) % tabs.length]!;
    onChoose(tab.id);
    document.getElementById(`${panel}-tab-${tab.id}`)?.focus();
  };
  return (
    <div class="tabs" role="tablist" aria-label={label} onKeyDown={onKeyDown}>
      {tabs.map((tab) => (
        <button key={tab.id} id={`${panel}-tab-${tab.id}`} type="button" role="tab" aria-selected={tab.id === chosen} aria-controls={panel}
          tabIndex={tab.id === chosen ? 0 : -1} onClick={() => onChoose(tab.id)}>{tab.title}</button>
      ))}
    </div>
  );
}
