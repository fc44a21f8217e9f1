import { useId, useState } from "preact/hooks";
import type { ComponentChildren } from "preact";
import type { Json, Problem, Schema } from "../model";
import { Words } from "./Words";
import { defaultOf, isNullable, messagesAbout, pathText, replacedAt, typesOf, valueAt, type ValuePath } from "../values";

interface FormProps {
  schema: Schema;
  values: Json | undefined;
  problems: Problem[];
  onChange(path: ValuePath, value: Json | undefined): void;
}

/** A form of every value that the schema declares. */
export function ValuesForm({ schema, ...form }: FormProps) {
  const fields = Object.entries(schema.properties ?? {});
  return (
    <div class="form">
      {fields.map(([key, inner]) => <Field key={key} name={key} path={[key]} schema={inner} {...form} />)}
    </div>
  );
}

interface FieldProps extends FormProps {
  name: string;
  path: ValuePath;
}

function Field(props: FieldProps) {
  const { name, path, schema, values, problems, onChange } = props;
  const id = useId();
  const given = valueAt(values, path);
  const value = given === undefined ? schema.default : given;
  const messages = messagesAbout(problems, path);
  const types = typesOf(schema);
  const title = schema.title ?? name;
  const isChanged = value !== undefined && JSON.stringify(value) !== JSON.stringify(schema.default);
  const described = [schema.description !== undefined ? `${id}-about` : "", messages.length > 0 ? `${id}-error` : ""];
  const attributes = {
    id,
    "aria-describedby": described.filter((part) => part !== "").join(" ") || undefined,
    "aria-invalid": messages.length > 0,
  };
  const notes = (
    <>
      {schema.description !== undefined && <p class="about" id={`${id}-about`}>{schema.description}</p>}
      {messages.length > 0 && <p class="error" id={`${id}-error`}>{messages.map((message) => <Words key={message} text={message} />)}</p>}
    </>
  );
  const reset = isChanged && schema.default !== undefined && (
    <button type="button" class="small" onClick={() => onChange(path, undefined)} aria-label={`Reset ${pathText(path)} to its default`}>Reset</button>
  );

  if (isNullable(schema)) {
    const isSet = value !== null && value !== undefined;
    return (
      <Group title={title} notes={notes}>
        <label class="check">
          <input type="checkbox" checked={isSet} onChange={() => onChange(path, isSet ? null : defaultOf({ ...schema, default: undefined }))} />
          set {name}
        </label>
        {isSet && <Field {...props} schema={{ ...schema, type: types.filter((type) => type !== "null"), title: "Value", description: undefined }} />}
      </Group>
    );
  }
  if (schema.properties !== undefined) {
    return (
      <Group title={title} notes={notes}>
        {Object.entries(schema.properties).map(([key, inner]) => (
          <Field {...props} key={key} name={key} path={[...path, key]} schema={inner} />
        ))}
      </Group>
    );
  }
  if (types.includes("array") && schema.items !== undefined) {
    return <ListField {...props} notes={notes} reset={reset} items={schema.items} title={title} />;
  }
  return (
    <div class="field">
      <div class="label"><label for={id}>{title}</label><span class="type">{typeName(schema)}</span>{reset}</div>
      <Input {...props} attributes={attributes} value={value} />
      {notes}
    </div>
  );
}

function Group({ title, notes, children }: { title: string; notes: ComponentChildren; children: ComponentChildren }) {
  return <fieldset><legend>{title}</legend>{notes}{children}</fieldset>;
}

/** A list is always written as a whole: its items have no names that a file or a flag could use. */
function ListField(props: FieldProps & { items: Schema; notes: ComponentChildren; reset: ComponentChildren; title: string }) {
  const { path, items, values, onChange, notes, reset, title } = props;
  const value = valueAt(values, path);
  const list = Array.isArray(value) ? value : [];
  const inner = (at: ValuePath, changed: Json | undefined) => {
    const within = at.slice(path.length);
    const next = changed === undefined ? defaultAt(items, within.slice(1)) : changed;
    onChange(path, replacedAt(list, within, next));
  };
  const moved = (at: number) => {
    const next = [...list];
    [next[at - 1], next[at]] = [next[at]!, next[at - 1]!];
    onChange(path, next);
  };
  return (
    <Group title={title} notes={notes}>
      {list.map((_, at) => (
        <div class="item" key={at}>
          <Field {...props} name={`${title} ${at + 1}`} path={[...path, String(at)]} schema={items} onChange={inner} />
          <div class="buttons">
            {at > 0 && <button type="button" class="small" onClick={() => moved(at)} aria-label={`Move ${pathText([...path, String(at)])} up`}>Up</button>}
            <button type="button" class="small" onClick={() => onChange(path, list.filter((_, own) => own !== at))} aria-label={`Remove ${pathText([...path, String(at)])}`}>Remove</button>
          </div>
        </div>
      ))}
      <div class="buttons">
        <button type="button" class="small" onClick={() => onChange(path, [...list, defaultOf(items)])} aria-label={`Add an item to ${pathText(path)}`}>Add</button>
        {reset}
      </div>
    </Group>
  );
}

function defaultAt(schema: Schema, path: ValuePath): Json {
  const [key, ...rest] = path;
  const inner = key === undefined ? undefined : (schema.properties?.[key] ?? schema.items);
  return inner === undefined ? defaultOf(schema) : defaultAt(inner, rest);
}

interface InputProps extends FieldProps {
  attributes: { id: string; "aria-describedby": string | undefined; "aria-invalid": boolean };
  value: Json | undefined;
}

function Input({ schema, path, value, attributes, onChange }: InputProps) {
  const types = typesOf(schema);
  if (schema.enum !== undefined) {
    const chosen = schema.enum.findIndex((own) => own === value);
    return (
      <select {...attributes} value={String(chosen)} onChange={(event) => onChange(path, schema.enum?.[Number(event.currentTarget.value)])}>
        {chosen < 0 && <option value="-1">{String(value ?? "")}</option>}
        {schema.enum.map((own, at) => <option key={at} value={String(at)}>{String(own)}</option>)}
      </select>
    );
  }
  if (types.includes("boolean")) {
    return <input {...attributes} type="checkbox" checked={value === true} onChange={(event) => onChange(path, event.currentTarget.checked)} />;
  }
  if (types.includes("integer") || types.includes("number")) {
    return <NumberInput {...{ schema, path, value, attributes, onChange }} />;
  }
  if (types.includes("string")) {
    return <input {...attributes} type="text" spellcheck={false} value={String(value ?? "")} onInput={(event) => onChange(path, event.currentTarget.value)} />;
  }
  return <AnyInput {...{ path, value, attributes, onChange }} />;
}

function NumberInput({ schema, path, value, attributes, onChange }: Omit<InputProps, "name" | "values" | "problems">) {
  // `1.` is the number 1, and becomes 1.5: what is typed stays as long as it is the value.
  const [draft, setDraft] = useState<string | null>(null);
  const isShown = draft !== null && (draft.trim() === "" || numberOr(draft) === value);
  const typed = (text: string) => {
    setDraft(text);
    // What is no number is sent as it is: the build explains what it expects.
    if (text.trim() !== "") onChange(path, numberOr(text));
  };
  return (
    <input {...attributes} type="text" inputMode="decimal" value={isShown ? draft : String(value ?? "")} onInput={(event) => typed(event.currentTarget.value)}
      onBlur={() => setDraft(null)}
      placeholder={schema.minimum !== undefined ? `from ${schema.minimum}` : undefined} />
  );
}

function numberOr(text: string): number | string {
  const number = Number(text);
  return Number.isNaN(number) ? text : number;
}

/** A value of any shape, as JSON. */
function AnyInput({ path, value, attributes, onChange }: Pick<InputProps, "path" | "value" | "attributes" | "onChange">) {
  const [draft, setDraft] = useState<string | null>(null);
  const [isWrong, setWrong] = useState(false);
  const typed = (text: string) => {
    setDraft(text);
    try {
      onChange(path, JSON.parse(text));
      setWrong(false);
    } catch {
      setWrong(true);
    }
  };
  return (
    <>
      <textarea {...attributes} rows={3} spellcheck={false} value={draft ?? JSON.stringify(value ?? null, null, 2)}
        aria-invalid={isWrong || attributes["aria-invalid"]}
        onInput={(event) => typed(event.currentTarget.value)} onBlur={() => isWrong || setDraft(null)} />
      {isWrong && <p class="error">This is not JSON yet.</p>}
    </>
  );
}

function typeName(schema: Schema): string {
  const types = typesOf(schema);
  const range = [
    schema.minimum !== undefined ? `≥ ${schema.minimum}` : "",
    schema.maximum !== undefined ? `≤ ${schema.maximum}` : "",
    schema.minLength ? `length ≥ ${schema.minLength}` : "",
    schema.format ?? "",
  ].filter((part) => part !== "");
  return [types.join(" or ") || "any", ...range].join(", ");
}
