import { render } from "preact";
import { takeToken } from "./api";
import { App } from "./App";
import "./style.css";

takeToken();
render(<App />, document.getElementById("app")!);
